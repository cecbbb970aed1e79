// @ts-check
// Apart from run.cjs, because an old Node cannot parse `import()`.
'use strict';

const path = require('node:path');
const { pathToFileURL } = require('node:url');

const [name] = process.argv.splice(2, 1);
const script = path.join(__dirname, `${name}.mjs`);
process.argv[1] = script;
void import(pathToFileURL(script).href);
