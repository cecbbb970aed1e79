import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { jobsQuery } from '../../../api/jobs.js';
import { Page } from '../../../parts/page.js';
import { Queried } from '../../../parts/queried.js';
import { FailedJobs } from './failed-jobs.js';
import { LooksBrake } from './looks-brake.js';
import { PurgeBrake } from './purge-brake.js';
import { RelayHealth } from './relay-health.js';
import { Schedules } from './schedules.js';
import { WaitingJobs } from './waiting-jobs.js';

/** What the service does by itself: what failed first, then what waits, and when everything ran. */
export function JobsPage() {
  const query = useQuery(jobsQuery);
  return (
    <Page title="Jobs">
      <PurgeBrake />
      <LooksBrake />
      <Queried query={query}>
        {(jobs) => (
          <Stack gap="lg">
            <FailedJobs jobs={jobs} />
            <RelayHealth relay={jobs.find(({ relay }) => relay !== null)?.relay ?? null} />
            <WaitingJobs jobs={jobs.filter(({ waiting }) => waiting !== null)} />
            <Schedules jobs={jobs.filter(({ schedule }) => schedule !== null)} />
          </Stack>
        )}
      </Queried>
    </Page>
  );
}
