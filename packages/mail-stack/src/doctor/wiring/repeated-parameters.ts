import { readFile } from 'node:fs/promises';
import { parametersOf } from '../../render/main-cf.js';

/** postlogd reads its own warnings from a socket that holds ten messages on Linux (`net.unix.max_dgram_qlen`). */
const FREEZES =
  '. As maillog_file is set, about ten such lines fill the socket of Postfix 3.7’s log daemon, which then waits for itself, and this instance stands still from its next start or reload on';

/**
 * Returns a sentence for each parameter that stands more than once in a main.cf. Postfix takes the last line, and warns
 * when another line has another value.
 *
 * @throws Error when the file cannot be read.
 */
export async function repeatedParameters(path: string): Promise<string[]> {
  const parameters = parametersOf(await readFile(path, 'utf8'));
  const logs = parameters.some(({ name, value }) => name === 'maillog_file' && value !== '');
  return [...new Set(parameters.map(({ name }) => name))].flatMap((name) => {
    const all = parameters.filter((each) => each.name === name);
    if (all.length === 1) return [];
    const warns = new Set(all.map(({ value }) => value)).size > 1;
    const lines = new Intl.ListFormat('en-GB').format(all.map(({ line }) => String(line)));
    const consequence = warns ? `, and every program of Postfix warns about it${logs ? FREEZES : ''}` : '';
    return [`${path} sets ${name} in the lines ${lines}: the last one holds${consequence}`];
  });
}
