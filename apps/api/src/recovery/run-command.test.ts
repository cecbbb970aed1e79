import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MODULES = {
  command: fileURLToPath(new URL('../../dist/recovery/run-command.js', import.meta.url)),
  leftBehind: fileURLToPath(new URL('../../../../packages/adapters/dist/recovery/left-behind.js', import.meta.url)),
};

/** Runs a command that says that it works, and ends as `body` says when it is asked to stop. */
async function stopped(body: string): Promise<{ code: unknown; said: string }> {
  const text = `
    import { runCommand } from '${MODULES.command}';
    import { LeftBehind } from '${MODULES.leftBehind}';
    await runCommand('usage', async (_, signal) => {
      const timer = setInterval(() => undefined, 1_000);
      console.log('works');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      clearInterval(timer);
      ${body}
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  return { code, said };
}

it('a command that is stopped says that nothing was changed, and only when nothing is left', async () => {
  expect(await stopped('throw new Error("a pipe was closed");')).toEqual({
    code: 1,
    said: 'Stopped by SIGINT; nothing was changed\n',
  });
  expect(
    await stopped('throw new LeftBehind("what was restored", signal.reason, new Error("the server is away"));'),
  ).toEqual({
    code: 1,
    said: 'Stopped by SIGINT; and what was restored cannot be removed (the server is away)\n',
  });
  expect(await stopped('console.log("was done already");')).toEqual({ code: 0, said: '' });
});
