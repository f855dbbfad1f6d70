// rule: without a stop time anywhere the run is refused as a usage error
// expect exit 2
// expect error 'StopTime'
model ExperimentMissing
  Real x = time;
end ExperimentMissing;
