// @ts-check
// `node scripts/run.cjs <script> [arguments]`: runs scripts/<script>.mjs. On a Node that is too old for the project it
// prints one sentence instead. So this file has only syntax that Node had in 2015, is CommonJS, and loads nothing else
// before it has compared the versions.
'use strict';

var wanted = />=(\d+)\.(\d+)/.exec(require('../package.json').engines.node) || [];
var present = /^(\d+)\.(\d+)/.exec(process.versions.node) || [];
var major = Number(present[1]);
var least = Number(wanted[1]);

if (major > least || (major === least && Number(present[2]) >= Number(wanted[2]))) {
  require('./run-module.cjs');
} else {
  console.error(
    'Mailstead needs Node ' +
      wanted[1] +
      '.' +
      wanted[2] +
      ' or later, and this is Node ' +
      process.versions.node +
      ': install Node 24 from https://nodejs.org and run the command again.'
  );
  process.exitCode = 1;
}
