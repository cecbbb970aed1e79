import { comparedAddress } from '@mailstead/core/mailboxes/address';
import { type LogFields, loggedName } from '../http/request-log.js';
import type { VerdictResponse } from './outbound-dto.js';

/** The most refused items in the log line of one request. */
const MAX_REFUSED = 20;

/** Returns the verdict on one message for the log line of its request; with the sender when there is a reason. */
export function verdictFields(verdict: VerdictResponse, sender: string | undefined): LogFields {
  return {
    // The name of a refused item is the text of the caller.
    domain: verdict.sent_today === undefined ? loggedName(verdict.name) : verdict.name,
    ...(sender === undefined || verdict.reason === null ? {} : { sender: loggedName(comparedAddress(sender)) }),
    action: verdict.action,
    reason: verdict.reason,
    ...(verdict.limited_by === undefined ? {} : { limited_by: verdict.limited_by }),
  };
}

/** Returns how many items of a bulk request had each action and reason, and the first items that were not accepted. */
export function verdictsFields(
  items: readonly { sender?: string | undefined }[],
  verdicts: readonly VerdictResponse[],
): LogFields {
  const counts: Record<string, number> = {};
  const refused: LogFields[] = [];
  for (const [index, verdict] of verdicts.entries()) {
    const kind = verdict.reason === null ? verdict.action : `${verdict.action} ${verdict.reason}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (verdict.allowed || refused.length === MAX_REFUSED) continue;
    refused.push(verdictFields(verdict, items[index]?.sender));
  }
  return refused.length === 0 ? { verdicts: counts } : { verdicts: counts, refused };
}
