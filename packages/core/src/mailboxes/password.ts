/** bcrypt reads 72 bytes and ignores the rest. */
const MAX_PASSWORD_BYTES = 72;
const MIN_PASSWORD_BYTES = 8;
/** People count characters. */
const BYTES = 'bytes in UTF-8, where ä is 2 and € is 3';

/** The highest cost of bcrypt, also of the hashes that the service makes: 0.24 s of processor time at each login. */
export const MAX_BCRYPT_COST = 12;
const MIN_BCRYPT_COST = 4;
/**
 * 0.03 s with a short password; 0.26 s with the longest that crypt(3) reads (511 bytes), as long as bcrypt of cost 12.
 */
const MAX_SHA512_ROUNDS = 100_000;

const BCRYPT = /^\$2[aby]\$(\d{2})\$[./A-Za-z0-9]{53}$/;
const SHA512_CRYPT = /^\{SHA512-CRYPT\}\$6\$(?:rounds=(\d{1,9})\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}$/;

/** @returns what a password must have that is too short or longer than bcrypt reads; null when it is neither */
export function passwordProblem(password: string): string | null {
  const bytes = new TextEncoder().encode(password).length;
  if (bytes < MIN_PASSWORD_BYTES) return `must have at least ${MIN_PASSWORD_BYTES} ${BYTES}`;
  return bytes > MAX_PASSWORD_BYTES ? `must have at most ${MAX_PASSWORD_BYTES} ${BYTES}` : null;
}

/**
 * Checks a hash from another system: bcrypt of cost 4 to 12, or SHA512-CRYPT with a bounded number of rounds, in the
 * form that Dovecot verifies. The bounds keep a partner from overloading the login servers with expensive hashes. A
 * hash that is stored is never checked again, so the costlier ones of earlier releases work until the password changes.
 * @returns what the hash must be; null when it is accepted
 */
export function passwordHashProblem(hash: string): string | null {
  const bcrypt = BCRYPT.exec(hash);
  if (bcrypt !== null) {
    const cost = Number(bcrypt[1]);
    const isFit = cost >= MIN_BCRYPT_COST && cost <= MAX_BCRYPT_COST;
    return isFit ? null : `must have a bcrypt cost from ${MIN_BCRYPT_COST} to ${MAX_BCRYPT_COST}`;
  }
  const sha512 = SHA512_CRYPT.exec(hash);
  if (sha512 === null) return 'must be a bcrypt hash ($2a$, $2b$ or $2y$) or {SHA512-CRYPT}$6$…';
  return Number(sha512[1] ?? 0) > MAX_SHA512_ROUNDS ? `must have at most ${MAX_SHA512_ROUNDS} rounds` : null;
}
