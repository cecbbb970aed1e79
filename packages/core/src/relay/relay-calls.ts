/** What the service asked the relay provider to do: a method of `RelayProvider`, or any of `RelayTenants`. */
export type RelayOperation =
  | 'ensure_identity'
  | 'get_identity'
  | 'align_identity'
  | 'read_account'
  | 'list_identities'
  | 'delete_identity'
  | 'lift_suppression'
  | 'tenants';

export interface RelayCall {
  at: Date;
  operation: RelayOperation;
}

export interface FailedRelayCall extends RelayCall {
  reason: string;
}

export interface LastRelayCalls {
  /** Null when no call ever succeeded. */
  success: RelayCall | null;
  /** Null when no call ever failed. */
  failure: FailedRelayCall | null;
}

/** Stores the last successful and the last failed call to the relay provider, of all processes and over restarts. */
export abstract class RelayCalls {
  /** Stores the call, unless a later one is stored. */
  abstract noteSuccess(call: RelayCall): Promise<void>;
  abstract noteFailure(call: FailedRelayCall): Promise<void>;
  abstract last(): Promise<LastRelayCalls>;
}
