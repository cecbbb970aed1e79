import { run } from '../run.js';
import type { Lines } from './differences.js';

/**
 * Returns what an instance's main.cf and master.cf say, as postconf(1) reads them: `parameter`, `service type`, and
 * `service type parameter` for a parameter that master.cf sets for one service. Parameters that are not set are absent.
 *
 * @throws Error when postconf cannot read them.
 */
export async function readPostfix(directory: string): Promise<Lines> {
  const [main, services, overrides] = await Promise.all(
    ['-n', '-M', '-P'].map(async (option) => linesOf(await run('postconf', ['-c', directory, option]))),
  );
  return new Map([
    // postconf adds the directory that it was given.
    ...(main ?? []).map(parameterOf).filter(([name]) => name !== 'config_directory'),
    ...(services ?? []).map(serviceOf),
    ...(overrides ?? []).map((line) => {
      const [name, value] = parameterOf(line);
      return [name.split('/').join(' '), value] as const;
    }),
  ]);
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function parameterOf(line: string): readonly [name: string, value: string] {
  const at = line.indexOf(' =');
  return [line.slice(0, at), line.slice(at + 2).trim()];
}

/** The service's columns, without its parameters, which `postconf -P` prints. */
function serviceOf(line: string): readonly [name: string, columns: string] {
  const [name = '', type = '', ...columns] = (line.split(' -o ', 1)[0] ?? '').trim().split(/\s+/);
  return [`${name} ${type}`, columns.join(' ')];
}
