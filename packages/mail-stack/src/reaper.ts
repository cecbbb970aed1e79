import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A shell in a separate session. When its input closes, it stops the servers of the pid files and removes the folder.
 * `reap` closes the input, and so does the end of this process: a crashed test leaves no server running.
 */
export class Reaper {
  private constructor(private readonly shell: ChildProcess) {}

  /**
   * @param pidFiles read when the input closes; a missing file is a server that did not start.
   * @param patienceSeconds a server that has not ended after this time is killed.
   */
  static watch(folder: string, pidFiles: readonly string[], patienceSeconds = 5): Reaper {
    const shell = spawn('sh', ['-c', SCRIPT, 'reaper', folder, String(patienceSeconds * 20), ...pidFiles], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    return new Reaper(shell);
  }

  async reap(): Promise<void> {
    const ended = once(this.shell, 'exit');
    this.shell.stdin?.end();
    await ended;
  }
}

// A server that has ended stays a zombie in the process table until its parent waits for it, possibly for ever.
const SCRIPT = `
cat >/dev/null
folder=$1
patience=$2
shift 2
runs() { state=$(sed -n 's/^State:[[:space:]]*\\(.\\).*/\\1/p' "/proc/$1/status" 2>/dev/null); [ -n "$state" ] && [ "$state" != Z ]; }
for file in "$@"; do
  if pid=$(tr -d ' ' <"$file" 2>/dev/null) && [ -n "$pid" ]; then pids="$pids $pid"; kill -TERM "$pid" 2>/dev/null; fi
done
for pid in $pids; do
  rounds=0
  while runs "$pid" && [ $rounds -lt "$patience" ]; do sleep 0.05; rounds=$((rounds + 1)); done
  runs "$pid" && kill -KILL "$pid"
done
rm -rf "$folder" || { sleep 0.5; rm -rf "$folder"; }
`;
