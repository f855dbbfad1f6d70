// rule: syntax of other languages names the cure (def)
// expect exit 3
// expect error 4:1 'a function is written 'function f ... end f;''
def f(x):
    return 2*x
