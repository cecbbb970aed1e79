import { useSearch } from '@tanstack/react-router';
import { mayChange } from '../../api/caller.js';
import { useCaller } from '../../api/session.js';
import type { Caller } from '../../api/shapes.js';

interface View {
  caller: Caller;
  /** The partner whose things are shown: `partner_ref` of every list that takes one. */
  partnerRef: string | undefined;
  /** Whether writing controls are shown. */
  mayChange: boolean;
}

/** Whose things this screen shows, and whether they may be changed here. */
export function useView(): View {
  const caller = useCaller();
  const { as } = useSearch({ from: '/in' });
  return { caller, partnerRef: as, mayChange: as === undefined && mayChange(caller) };
}
