import type { IdentityStatus } from '@mailstead/core/relay/relay-provider';

/** The fields of an identity's state in `GetEmailIdentity` and, under other names, in `ListEmailIdentities`. */
interface SesState {
  /** `VerificationStatus`. */
  verification: string | undefined;
  /** `VerifiedForSendingStatus`, `SendingEnabled`. */
  sending: boolean | undefined;
}

/**
 * Combines SES's fields into one status. `TEMPORARY_FAILURE` means that SES cannot find the records of a verified
 * identity at the moment. SES still sends for the domain for some time, so the identity stays verified.
 *
 * @returns null when both fields are missing
 */
export function identityStatus({ verification, sending }: SesState): IdentityStatus | null {
  switch (verification) {
    case 'SUCCESS':
    case 'TEMPORARY_FAILURE':
      return sending === true ? 'verified' : 'pending';
    case 'FAILED':
      return 'failed';
    case undefined:
      return sending === undefined ? null : sending ? 'verified' : 'pending';
    default:
      return 'pending';
  }
}

const REASONS: Record<string, string> = {
  DNS_SERVER_ERROR: 'The name servers of the domain do not answer the provider, or answer with an error',
  HOST_NOT_FOUND: 'The provider found no DKIM record; publish the three CNAME records of the domain',
  TYPE_NOT_FOUND: 'The name of a DKIM record exists, but not as a CNAME record',
  INVALID_VALUE: 'A DKIM record has a wrong value; publish the value that the API shows',
  SERVICE_ERROR: 'The provider had an internal problem while it checked the records; it tries again automatically',
};

/**
 * Explains in one sentence why an identity is not verified.
 *
 * @param errorType `VerificationInfo.ErrorType` of SES
 */
export function identityReason(status: IdentityStatus, errorType: string | undefined): string | null {
  if (status === 'verified') return null;
  if (errorType !== undefined) return REASONS[errorType] ?? `The provider says ${errorType} about the DKIM records`;
  if (status === 'failed') {
    return 'The provider found no valid DKIM records within 72 hours; publish them and start the verification again';
  }
  return null;
}
