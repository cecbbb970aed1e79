import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type MailStackSettings, parseMailStackSettings, SettingsError } from './settings/mail-stack-settings.js';

const USAGE = `Usage:
  npm run mail-stack -- render --settings FILE --out DIR    writes the configuration of Postfix and Dovecot
  npm run mail-stack -- doctor --settings FILE              checks the running mail stack, and says what is wrong
  npm run mail-stack -- queues --config DIR… --out FILE     writes the lengths of Postfix's queues for Prometheus,
               [--dovecot INSTANCE --sessions N]            and the sessions of a Dovecot, at most N
The settings are JSON; packages/mail-stack/settings.example.json shows the required ones.`;

/** The command line is wrong. The usage is printed with the message. */
class UsageError extends Error {}

type Values = ReturnType<typeof readArguments>['values'];
type Command = (values: Values) => Promise<number>;

const MARKS = { ok: 'ok   ', warning: 'note ', wrong: 'WRONG' };

const COMMANDS: Record<string, Command> = {
  render: async ({ settings: path, out }) => {
    if (out === undefined) throw new UsageError('render needs --out DIR.');
    const settings = await readSettings(path);
    const { renderMailStack } = await import('./render/render-mail-stack.js');
    const { writeRendered } = await import('./render/write-rendered.js');
    const files = renderMailStack(settings);
    await writeRendered(files, out);
    console.log(`${files.length} files are in ${out}; docs/mail-stack.md says where each belongs.`);
    return 0;
  },
  doctor: async ({ settings }) => {
    const { examine } = await import('./doctor/examine.js');
    const findings = await examine(await readSettings(settings));
    for (const { verdict, sentence } of findings) console.log(`${MARKS[verdict]} ${sentence}`);
    return findings.some(({ verdict }) => verdict === 'wrong') ? 1 : 0;
  },
  queues: async ({ config = [], out, dovecot: instance = '', sessions = '' }) => {
    if (out === undefined || config.length === 0) throw new UsageError('queues needs --config DIR and --out FILE.');
    if (!/^\d{0,9}$/.test(sessions)) throw new UsageError('--sessions is a number.');
    // The unit passes empty ones where the rendered environment has none.
    const dovecot = instance === '' || sessions === '' ? null : { instance, most: Number(sessions) };
    const { writeQueueMetrics } = await import('./queues/queue-metrics.js');
    await writeQueueMetrics(config, out, dovecot);
    return 0;
  },
};

async function main(args: string[]): Promise<number> {
  const { positionals, values } = readArguments(args);
  const [name = ''] = positionals;
  const command = COMMANDS[name];
  if (command === undefined) {
    throw new UsageError(name === '' ? 'A command is missing.' : `There is no command ${name}.`);
  }
  return await command(values);
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        settings: { type: 'string' },
        out: { type: 'string' },
        config: { type: 'string', multiple: true },
        dovecot: { type: 'string' },
        sessions: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function readSettings(path: string | undefined): Promise<MailStackSettings> {
  if (path === undefined) throw new UsageError('--settings FILE is missing.');
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new SettingsError([`${path} cannot be read: ${error.message}`]);
  });
  let source: unknown;
  try {
    source = JSON.parse(text);
  } catch (error) {
    throw new SettingsError([`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`]);
  }
  return parseMailStackSettings(source);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const wrongCall = error instanceof UsageError;
  console.error(error instanceof Error && (wrongCall || error instanceof SettingsError) ? error.message : error);
  if (wrongCall) console.error(USAGE);
  process.exitCode = 1;
}
