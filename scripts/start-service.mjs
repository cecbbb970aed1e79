// @ts-check
import { runApi } from './foreground.mjs';
import { Stop } from './main.mjs';
import { prepare } from './prepare.mjs';
import { readStartOptions } from './start-options.mjs';

/**
 * Installs packages and builds when needed, and runs the API with the options of a command until a stop signal. Returns
 * the exit code.
 * @param {{ command: string, usage: string, args?: string[], env?: NodeJS.ProcessEnv }} start `command` is what was
 * typed; `args` and `env` are those of the API.
 */
export async function startService({ command, usage, args = [], env = process.env }) {
  const options = readStartOptions(process.argv.slice(2), command);
  if ('refusal' in options) throw new Stop(options.refusal, 2);
  if ('help' in options) {
    process.stdout.write(usage);
    return 0;
  }
  await prepare({ testTools: false, portal: true, stoppedStatus: 0 });
  const port = options.port === undefined ? {} : { PORT: options.port };
  return await runApi(args, { stoppedStatus: 0, env: { ...env, ...port } });
}
