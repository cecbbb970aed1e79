import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostJson } from '@mailstead/client/post-json';
import { StoredPosition } from '../delivery-meter/log-position.js';
import { reportTrailBy } from './report-trail.js';
import { TrailFollower } from './trail-follower.js';

export interface TrailSettings {
  /** The log of both instances of Postfix. */
  log: string;
  /** The folder of the file that stores the position in the log. */
  dataDir: string;
  /** The name of the mail server in the tags of messages. */
  host: string;
  /** To which senders are rewritten when mail is forwarded; null: none are. */
  srsDomain: string | null;
}

export interface RunningTrail {
  follower: TrailFollower;
  /** Resolves when it has ended. What is not reported is read again at the next start. */
  stop(): Promise<void>;
}

/** Starts to report what becomes of messages. Calls `onTrouble` for each error that is retried. */
export function startTrailFollower(
  { log, dataDir, host, srsDomain }: TrailSettings,
  post: PostJson,
  onTrouble: (error: unknown) => void,
): RunningTrail {
  const abort = new AbortController();
  const report = reportTrailBy(post, onTrouble);
  const position = new StoredPosition(join(dataDir, 'trail'));
  const follower = new TrailFollower(position, report, { log, host, srsDomain, onTrouble });
  const running = mkdir(dataDir, { recursive: true, mode: 0o700 })
    .then(() => follower.run(abort.signal))
    .catch(onTrouble);
  return {
    follower,
    stop: async () => {
      abort.abort();
      await running;
    },
  };
}
