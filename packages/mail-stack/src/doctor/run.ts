import { execFile } from 'node:child_process';

/**
 * Runs a program of Postfix and answers what it printed. Throws its last word when its code is not good, or is 1 with a
 * complaint.
 */
export async function run(
  program: string,
  args: readonly string[],
  goodCodes: readonly number[] = [0],
): Promise<string> {
  return await new Promise((resolve, reject) => {
    execFile(program, args, { timeout: 30_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      const said = stderr.trim().split('\n').at(-1) ?? '';
      const good = typeof code === 'number' && goodCodes.includes(code) && (code === 0 || said === '');
      if (good) {
        resolve(stdout);
      } else {
        reject(new Error(said || error?.message || `${program} failed`));
      }
    });
  });
}
