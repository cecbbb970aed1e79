import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nameableCauses } from '../../../api/caller.js';
import { useChange } from '../../../api/change.js';
import { activateDomain, suspendDomain } from '../../../api/domains.js';
import { outboundQuery } from '../../../api/outbound.js';
import type { Caller, Domain, SuspensionCause } from '../../../api/shapes.js';
import { offerUndo } from '../../../parts/offer-undo.js';
import { Section } from '../../../parts/page.js';
import { t } from '../../../texts/texts.js';
import { useView } from '../../frame/view.js';

/**
 * Stops and starts the mail of a domain, by its causes: each is set and lifted alone. Nothing is lost, so one click is
 * enough, and what it did can be undone.
 */
export function Suspension({ domain }: { domain: Domain }) {
  const { name, status, suspension_causes: causes } = domain;
  const { caller, may } = useView();
  const activate = useChange(activateDomain(name));
  const suspend = useChange(suspendDomain(name));
  const lift = (cause: SuspensionCause) =>
    activate.mutate(cause, {
      onSuccess: () => offerUndo(t('settings.lifted', { name, cause }), () => suspend.mutateAsync(cause)),
    });
  const set = (cause: SuspensionCause) =>
    suspend.mutate(cause, {
      onSuccess: () => offerUndo(t('settings.isSuspended', { name }), () => activate.mutateAsync(cause)),
    });
  const isLiftable = useLiftable(domain, caller, may('putDomainsDomainNameActivate'));
  const settable = may('putDomainsDomainNameSuspend')
    ? nameableCauses(caller).filter((cause) => !causes.includes(cause))
    : [];
  return (
    <Section title={t(status === 'suspended' ? 'settings.suspended' : 'settings.suspend')}>
      <Stack gap="sm">
        <Text size="sm">{t(status === 'suspended' ? 'settings.isStopped' : 'settings.stops')}</Text>
        {causes.map((cause) => (
          <Group key={cause} justify="space-between">
            <Text size="sm">{t('settings.suspendedCause', { cause: t(`cause.${cause}`) })}</Text>
            {isLiftable(cause) && (
              <Button
                size="xs"
                aria-label={t('settings.activateCause', { cause })}
                loading={activate.isPending && activate.variables === cause}
                onClick={() => lift(cause)}
              >
                {t('settings.activate')}
              </Button>
            )}
          </Group>
        ))}
        {settable.length > 0 && <SetCause causes={settable} isSetting={suspend.isPending} onSet={set} />}
      </Stack>
    </Section>
  );
}

interface SetCauseParts {
  causes: SuspensionCause[];
  isSetting: boolean;
  onSet: (cause: SuspensionCause) => void;
}

/** Who has one cause to set does not choose. */
function SetCause({ causes, isSetting, onSet }: SetCauseParts) {
  const [chosen, setChosen] = useState<SuspensionCause | null>(null);
  const cause = causes.find((each) => each === chosen) ?? causes[0];
  if (cause === undefined) return null;
  return (
    <Group align="flex-end" gap="xs">
      {causes.length > 1 && (
        <Select label={t('settings.cause')} data={causes} value={cause} onChange={setChosen} allowDeselect={false} />
      )}
      <Button variant="default" loading={isSetting} onClick={() => onSet(cause)}>
        {t('settings.suspend')}
      </Button>
    </Group>
  );
}

/** What the API calls liftable. Who may not read the verdict lifts the causes that it may name. */
function useLiftable(
  { name, suspension_causes }: Domain,
  caller: Caller,
  mayActivate: boolean,
): (cause: SuspensionCause) => boolean {
  const readsVerdict = caller.may.includes('getDomainsDomainNameOutbound');
  const enabled = mayActivate && readsVerdict && suspension_causes.length > 0;
  const { data } = useQuery({ ...outboundQuery(name), enabled });
  const told = data?.verdict.causes ?? [];
  return (cause) => {
    if (!mayActivate) return false;
    if (!readsVerdict) return nameableCauses(caller).includes(cause);
    return told.some((each) => each.of === 'domain' && each.cause === cause && each.liftable);
  };
}
