import { Button } from '@mantine/core';
import { useChange } from '../../api/change.js';
import { changeOutbound } from '../../api/outbound.js';
import { t } from '../../texts/texts.js';

/** Lifts the block of a domain, whatever else stops it. */
export function LetItSend({ domain, isMain }: { domain: string; isMain: boolean }) {
  const unblock = useChange(changeOutbound(domain));
  return (
    <Button
      size="xs"
      variant={isMain ? 'filled' : 'default'}
      loading={unblock.isPending}
      onClick={() => unblock.mutate({ body: { outbound_status: 'active' } })}
    >
      {t('sending.unblock')}
    </Button>
  );
}
