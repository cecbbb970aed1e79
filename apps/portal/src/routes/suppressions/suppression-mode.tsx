import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../api/change.js';
import { changeSuppressionMode, suppressionModeQuery } from '../../api/suppressions.js';
import { Queried } from '../../parts/queried.js';

/** Whether mail to suppressed addresses is refused. @param partnerRef undefined: of the caller's own partner */
export function SuppressionModeSwitch({
  partnerRef,
  mayChange,
}: {
  partnerRef: string | undefined;
  mayChange: boolean;
}) {
  const query = useQuery(suppressionModeQuery(partnerRef));
  const save = useChange(changeSuppressionMode(partnerRef));
  return (
    <Queried query={query}>
      {({ mode }) => (
        <Switch
          label="Refuse mail to these addresses"
          description="When off, they are only listed, and mail to them is sent. When on, the mail program of the sender is told at once."
          checked={mode === 'refuse'}
          disabled={!mayChange || save.isPending}
          onChange={(event) => save.mutate({ mode: event.currentTarget.checked ? 'refuse' : 'list' })}
        />
      )}
    </Queried>
  );
}
