import type { HeaderField } from './milter/message-counter.js';

/** The most characters of the value of a message tag. SES accepts 256. */
const MAX_TAG = 200;
/** The names that SES accepts for a configuration set and a tenant. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** What the API answers for a message that leaves by SES; null where nothing is named. */
export interface RelayNames {
  configuration_set: string | null;
  tenant: string | null;
}

/**
 * Returns the fields that SES reads and removes: the tag `mailstead`, by which its events name the message, the tag
 * `mailstead_receipt` of a read receipt, the configuration set and the tenant. The tag of a long host name keeps the
 * queue id at its end.
 *
 * @param names as the API answered them; any other text than a name is ignored.
 */
export function relayFields(host: string, queueId: string, names: RelayNames | null, isReceipt = false): HeaderField[] {
  const tag = `${host}-${queueId}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(-MAX_TAG);
  const receipt = isReceipt ? ', mailstead_receipt=yes' : '';
  const fields = [{ name: 'X-SES-MESSAGE-TAGS', value: `mailstead=${tag}${receipt}` }];
  const add = (name: string, value: unknown) => {
    if (typeof value === 'string' && NAME.test(value)) fields.push({ name, value });
  };
  add('X-SES-CONFIGURATION-SET', names?.configuration_set);
  add('X-SES-TENANT', names?.tenant);
  return fields;
}
