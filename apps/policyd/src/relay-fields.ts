import type { HeaderField } from './milter/message-counter.js';

/** The most characters of the value of a message tag. SES accepts 256. */
const MAX_TAG = 200;
/** The names that SES accepts for a configuration set. */
const SET_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Returns the fields that SES reads and removes: the tag `mailstead`, by which its events name the message, and the
 * configuration set. The tag of a long host name keeps the queue id at its end.
 *
 * @param configurationSet as the API answered it; any other text than a name of a set is ignored.
 */
export function relayFields(host: string, queueId: string, configurationSet: string | null): HeaderField[] {
  const tag = `${host}-${queueId}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(-MAX_TAG);
  const fields = [{ name: 'X-SES-MESSAGE-TAGS', value: `mailstead=${tag}` }];
  if (typeof configurationSet === 'string' && SET_NAME.test(configurationSet))
    fields.push({ name: 'X-SES-CONFIGURATION-SET', value: configurationSet });
  return fields;
}
