/** A verdict of the API, as far as a reply is made of it. */
export interface PolicyVerdict {
  action: string;
  reason: string | null;
}

export const PASS = 'DUNNO';
/** The API cannot be asked: the sender tries again. */
export const UNAVAILABLE = '451 4.3.5 The sending policy cannot be asked at the moment, please try again later';

/** What a person who sent the mail reads in its bounce or in the mail program. */
const SENTENCES: Record<string, (domain: string) => string> = {
  domain_suspended: (domain) => `Sending for ${domain} is suspended`,
  outbound_blocked: (domain) =>
    `Sending for ${domain} is blocked, because too many of its messages bounced; ask your provider`,
  not_verified: (domain) => `${domain} is not verified for sending yet; its owner has to set the DNS records`,
  message_exceeds_limit: (domain) => `The message has more recipients than ${domain} may ever send to`,
  mailbox_limit: () => 'This mailbox has reached its daily sending limit, please try again tomorrow',
  daily_limit: (domain) => `${domain} has reached its daily sending limit, please try again tomorrow`,
  monthly_limit: (domain) => `${domain} has reached its monthly sending limit`,
  transfer_limit: (domain) => `${domain} has reached its monthly transfer limit`,
  domain_not_found: (domain) => `${domain} is not a domain of this service`,
  increment_id_reused: () => 'The message was counted with other recipients, please send it again',
};

/** The action for Postfix: nothing to object, try again later (450), or never (550). */
export function replyTo({ action, reason }: PolicyVerdict, domain: string): string {
  if (action === 'accept') return PASS;
  const sentence = SENTENCES[reason ?? '']?.(domain) ?? `Sending for ${domain} is not possible`;
  return action === 'defer' ? `450 4.7.1 ${sentence}` : `550 5.7.1 ${sentence}`;
}
