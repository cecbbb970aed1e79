import { join } from 'node:path';
import { countFiles } from '../queues/count-files.js';
import { configDirectoryOf, postfixInstances } from '../render/render-postfix.js';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { type Finding, toFinding, Warning } from './finding.js';
import { run } from './run.js';

/** The queues whose messages have not left. */
const QUEUES = ['maildrop', 'incoming', 'active', 'deferred', 'hold'];
const MANY = 1_000;
/** Counting ends here. */
const MOST_COUNTED = 20_000;

/** Counts the messages in the queues of each Postfix instance. */
export async function examineQueues(settings: MailStackSettings): Promise<Finding[]> {
  return await Promise.all(
    postfixInstances(settings).map(async (instance) => {
      const directory = configDirectoryOf(settings, instance);
      return await toFinding(`The queue of ${directory} cannot be read`, async () => {
        const queue = (await run('postconf', ['-c', directory, '-h', 'queue_directory'])).trim();
        let count = 0;
        for (const name of QUEUES) count += await countFiles(join(queue, name), { most: MOST_COUNTED - count });
        const text = count >= MOST_COUNTED ? `${MOST_COUNTED} or more` : String(count);
        if (count < MANY) return `${text} messages are in the queue of ${directory}.`;
        throw new Warning(
          `${text} messages are in the queue of ${directory}; \`postqueue -c ${directory} -p\` says why each waits.`,
        );
      });
    }),
  );
}
