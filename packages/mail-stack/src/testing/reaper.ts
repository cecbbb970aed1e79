import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A shell of its own session that waits until its input closes, then ends the servers whose process ids are in the
 * given files and removes the folder. The input closes when `reap` is called, and also when this process dies in
 * whatever way: a crashed test leaves nothing running.
 */
export class Reaper {
  private constructor(private readonly shell: ChildProcess) {}

  /**
   * `pidFiles` are looked at when the time has come; a missing one is a server that never started. What has not ended
   * within the patience is killed.
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

// A server that ended stays in the process table as a zombie until its parent looks, which may be never.
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
