import { readFile, stat } from 'node:fs/promises';

/** @throws Error when the file cannot be read, or when others than its owner and group can read it. */
export async function readSecret(path: string): Promise<string> {
  const { mode } = await stat(path);
  if ((mode & 0o007) !== 0) throw new Error(`every user may open ${path}; \`chmod 0600 ${path}\``);
  return await readFile(path, 'utf8');
}
