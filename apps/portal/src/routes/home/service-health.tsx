import { Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { may } from '../../api/caller.js';
import { jobsQuery, warningsQuery } from '../../api/jobs.js';
import { useCaller } from '../../api/session.js';
import { TextLink } from '../../parts/links.js';
import { countOf } from '../../parts/numbers.js';
import { Section } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';
import { StatusMark } from '../../parts/status-mark.js';

/** For the operator: whether the service itself needs someone. */
export function ServiceHealth() {
  const caller = useCaller();
  const health = useQuery(warningsQuery);
  const jobs = useQuery({ ...jobsQuery, enabled: may(caller, 'getJobs'), refetchInterval: false });
  const failing = (jobs.data ?? []).filter(({ failed }) => failed.length > 0);
  return (
    <Section title="The service">
      <Queried query={health}>
        {(warnings) => (
          <Stack gap="xs">
            {warnings.map(({ name, detail }) => (
              <Finding key={detail} title={name} detail={detail} />
            ))}
            {failing.map(({ name, failed }) => (
              <Group key={name} gap="xs">
                <StatusMark mark="bad">{`${name}: ${countOf(failed.length, 'dead job')}`}</StatusMark>
                <TextLink to="/operator/jobs" size="sm">
                  See why
                </TextLink>
              </Group>
            ))}
            {warnings.length + failing.length === 0 && (
              <StatusMark mark="good">No warnings: database, relay and jobs work.</StatusMark>
            )}
          </Stack>
        )}
      </Queried>
    </Section>
  );
}

function Finding({ title, detail }: { title: string; detail: string }) {
  return (
    <Paper withBorder p="sm">
      <StatusMark mark="warn">{title}</StatusMark>
      <Text size="sm">{detail}</Text>
    </Paper>
  );
}
