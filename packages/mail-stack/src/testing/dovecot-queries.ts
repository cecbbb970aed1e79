import { readFile } from 'node:fs/promises';
import { DOVECOT } from './describe-stack.js';
import type { MailRig } from './mail-rig.js';

/** Returns Dovecot's rendered queries by their names in 2.3. In 2.4 they are in the blocks of dovecot.conf. */
export async function dovecotQueries({ settings }: MailRig): Promise<[string, string][]> {
  const file = DOVECOT === '2.3' ? 'dovecot-sql.conf.ext' : 'dovecot.conf';
  const text = await readFile(`${settings.dovecot.configDirectory}/${file}`, 'utf8');
  const named = text
    .replace(/^passdb sql \{\n(?:.*\n)*? {2}query =/m, 'password_query =')
    .replace(/^userdb sql \{\n {2}query =/m, 'user_query =');
  return [...named.matchAll(/^ *(\w+_query) = ((?:.*\\\n)*.*)/gm)].map(([, name = '', query = '']) => [
    name,
    query.replaceAll('\\\n', ''),
  ]);
}
