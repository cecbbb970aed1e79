import { LeftBehind } from '@mailstead/adapters/recovery/left-behind';
import { reasonOf } from '@mailstead/core/errors';

/**
 * Runs a command of the operator: exit code 0, or 1 with one sentence on stderr. A request to stop ends its work, which
 * then leaves nothing behind.
 */
export async function runCommand(
  usage: string,
  work: (args: string[], signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => stop.abort(new Error(`Stopped by ${name}`)));
  }
  try {
    await work(process.argv.slice(2), stop.signal);
    process.exitCode = 0;
  } catch (error) {
    const isLeft = error instanceof LeftBehind;
    const reason =
      stop.signal.aborted && !isLeft ? `${reasonOf(stop.signal.reason)}; nothing was changed` : reasonOf(error);
    const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    process.stderr.write(`${oneLineOf(reason)}${isUsage ? `; ${usage}` : ''}\n`);
    process.exitCode = 1;
  }
}

/** Wrong settings are a list. */
function oneLineOf(reason: string): string {
  const [first = '', ...others] = reason
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return others.reduce((text, line) => {
    if (!line.startsWith('- ')) return `${text} ${line}`;
    return `${text}${text.endsWith(':') ? ' ' : '; '}${line.slice('- '.length)}`;
  }, first);
}
