// rule: a file without a model is an error
// expect exit 3
// expect error 'empty_file.mo'
