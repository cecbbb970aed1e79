import { MIN_TOKEN_VARIETY, varietyOf } from '@mailstead/core/api-keys/api-key';
import type { Config } from './config.js';
import { listOf, operatorTokensOf } from './config-lists.js';

const MIN_TOKEN_LENGTH = 32;
/** The API reads no longer token from an Authorization header. */
const MAX_TOKEN_LENGTH = 512;
const MIN_API_KEY_LENGTH = 16;
/** The shortest key of Standard Webhooks. */
const MIN_WEBHOOK_KEY_BYTES = 24;
/** The characters that an Authorization header can carry as a bearer token. */
const BEARER_CHARACTERS = /^[A-Za-z0-9._~+/=-]*$/;
const WEBHOOK_SECRET = /^whsec_([A-Za-z0-9+/]+)={0,2}$/;

/**
 * @returns a sentence for each secret of the settings that is short, has few different characters or has a wrong form
 */
export function secretProblems(config: Readonly<Config>): string[] {
  const { metricsToken, doveadmApiKey, relayWebhookSecret, notifyWebhookSecret } = config;
  return [
    ...new Set(listOf(config.masterToken).flatMap((token) => operatorTokenProblems('MASTER_TOKEN: each token', token))),
    ...operatorTokensOf(config)
      .filter(({ caller }) => caller.kind === 'operator')
      .flatMap(({ token }, index) => operatorTokenProblems(`${operatorEntry(index)}: the token`, token)),
    ...(config.secretKey === '' ? [] : textProblems('SECRET_KEY:', config.secretKey, MIN_TOKEN_LENGTH)),
    ...(metricsToken === null ? [] : textProblems('METRICS_TOKEN:', metricsToken, MIN_API_KEY_LENGTH)),
    ...(doveadmApiKey === null ? [] : textProblems('DOVEADM_API_KEY:', doveadmApiKey, MIN_API_KEY_LENGTH)),
    ...(relayWebhookSecret === null ? [] : webhookProblems('RELAY_WEBHOOK_SECRET', relayWebhookSecret)),
    ...(notifyWebhookSecret === null ? [] : webhookProblems('NOTIFY_WEBHOOK_SECRET', notifyWebhookSecret)),
  ];
}

/** Whether a text is long and varied enough for a master token or the secret key. */
export function isStrongSecret(text: string): boolean {
  return textProblems('', text, MIN_TOKEN_LENGTH).length === 0;
}

/** The entry of an operator in a message. Its name is not shown: in an entry of a wrong form it may be the token. */
export function operatorEntry(index: number): string {
  return `OPERATOR_TOKENS (entry ${index + 1})`;
}

function operatorTokenProblems(subject: string, token: string): string[] {
  const problems = textProblems(subject, token, MIN_TOKEN_LENGTH);
  if (token.length > MAX_TOKEN_LENGTH) problems.push(`${subject} must have at most ${MAX_TOKEN_LENGTH} characters`);
  return BEARER_CHARACTERS.test(token) ? problems : [...problems, `${subject} may have only A-Z a-z 0-9 . _ ~ + / = -`];
}

function textProblems(subject: string, text: string, minLength: number): string[] {
  const problems: string[] = [];
  if (text.length < minLength) problems.push(`${subject} must have at least ${minLength} characters`);
  if (varietyOf(text) < MIN_TOKEN_VARIETY) {
    problems.push(`${subject} must have at least ${MIN_TOKEN_VARIETY} different characters`);
  }
  return problems;
}

function webhookProblems(variable: string, secret: string): string[] {
  const base64 = WEBHOOK_SECRET.exec(secret)?.[1];
  const key = Buffer.from(base64 ?? '', 'base64');
  // Buffer ignores what is not base64, so the text is compared with the encoding of what it read.
  if (base64 === undefined || key.toString('base64').replace(/={1,2}$/, '') !== base64) {
    return [`${variable}: must be whsec_ and base64`];
  }
  if (key.length < MIN_WEBHOOK_KEY_BYTES || new Set(key).size < MIN_TOKEN_VARIETY) {
    return [`${variable}: must be a random key of at least ${MIN_WEBHOOK_KEY_BYTES} bytes in base64 after whsec_`];
  }
  return [];
}
