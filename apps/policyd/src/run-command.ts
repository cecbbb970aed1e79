import { execFile } from 'node:child_process';

/**
 * Runs a command to its end.
 *
 * @param lines given to it, each as a line
 * @returns its output
 * @throws Error with its complaint, also when it took longer than `timeoutMs`: it is killed then
 */
export async function runCommand(
  program: string,
  args: readonly string[],
  timeoutMs: number,
  lines: readonly string[] = [],
): Promise<string> {
  return await new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { timeout: timeoutMs, maxBuffer: 16 * 1_048_576 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`${program} failed: ${stderr.trim().slice(-1_000) || error.message}`));
      },
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(lines.map((line) => `${line}\n`).join(''));
  });
}
