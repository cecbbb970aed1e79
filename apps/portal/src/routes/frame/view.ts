import { useSearch } from '@tanstack/react-router';
import { may } from '../../api/caller.js';
import { useCaller } from '../../api/session.js';
import type { Caller, Operation } from '../../api/shapes.js';

interface View {
  caller: Caller;
  /** The partner whose things are shown: `partner_ref` of every list that takes one. */
  partnerRef: string | undefined;
  /** Whether the control for this operation is shown. Who sees as a partner changes nothing. */
  may: (operation: Operation) => boolean;
}

/** Whose things this screen shows, and whether they may be changed here. */
export function useView(): View {
  const caller = useCaller();
  const { as } = useSearch({ from: '/in' });
  return { caller, partnerRef: as, may: (operation) => as === undefined && may(caller, operation) };
}
