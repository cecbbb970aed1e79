// @ts-check

export const USAGE = `npm start [-- options]: installs and builds what is missing, and runs the service until Ctrl+C.

  --port <number>  listen on this port instead of PORT or 8080
  --help           print this text

The settings are environment variables; docs/operations.md lists them.
`;

export const DEMO_USAGE = `npm run demo [-- options]: like npm start, with 300 invented partners and 3,000 domains.

  --port <number>  listen on this port instead of PORT or 8080
  --help           print this text

The data is in demo-data, or in DATA_DIR. Delete the folder to begin anew.
`;

/** @typedef {{ help: true } | { port?: string } | { refusal: string }} StartOptions */

/**
 * Reads the options of `npm start` and `npm run demo`. For options that cannot be used, `refusal` says in one sentence
 * why.
 * @param {string[]} given
 * @param {string} command
 * @returns {StartOptions}
 */
export function readStartOptions(given, command) {
  /** @type {{ port?: string }} */
  const options = {};
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] ?? '';
    if (word === '--help' || word === '-h') return { help: true };
    const [, inline] = /^--port=(.*)$/.exec(word) ?? [];
    if (word !== '--port' && inline === undefined) {
      return { refusal: `${command} does not know ${JSON.stringify(word)}: it takes --port <number> and --help.` };
    }
    const port = inline ?? given[(at += 1)] ?? '';
    if (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535) {
      return { refusal: `--port needs a number from 1 to 65535, for instance: ${command} -- --port 8081` };
    }
    options.port = port;
  }
  return options;
}
