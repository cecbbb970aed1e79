import { execFile } from 'node:child_process';

/**
 * Runs a program of Postfix.
 *
 * @returns its standard output.
 * @throws Error with the last line of its error output, when the exit code is not in `goodCodes`, or is not 0 and there
 * is error output.
 */
export async function run(
  program: string,
  args: readonly string[],
  goodCodes: readonly number[] = [0],
): Promise<string> {
  return await new Promise((resolve, reject) => {
    execFile(program, args, { timeout: 30_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      const complaint = stderr.trim().split('\n').at(-1) ?? '';
      const good = typeof code === 'number' && goodCodes.includes(code) && (code === 0 || complaint === '');
      if (good) {
        resolve(stdout);
      } else {
        reject(new Error(complaint || error?.message || `${program} failed`));
      }
    });
  });
}
