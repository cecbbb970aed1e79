import { rm } from 'node:fs/promises';
import { describeWith } from '../../../../scripts/needed-programs.mjs';
import { makeFolder } from '../../../../scripts/services.mjs';
import { runCluster, SHORT } from './testing/run-cluster.js';
import { WholeCluster } from './testing/whole-cluster.js';
import { unkept } from './work.js';

const MINUTES = 2;

const describeCluster = await describeWith('the cluster');

describeCluster('a cluster of three databases, Redis, sentinels and APIs', () => {
  let folder: string;
  let cluster: WholeCluster;

  beforeAll(async () => {
    folder = await makeFolder();
    cluster = await WholeCluster.start(folder, () => undefined);
  });
  afterAll(async () => {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('loses and doubles nothing that it acknowledged, and every process comes back, while each kind fails', async () => {
    const { works, notBack } = await runCluster(cluster, SHORT, MINUTES, () => undefined);
    expect([...unkept(works), ...notBack]).toEqual([]);
    for (const { acknowledged, found } of works) expect(found).toBe(acknowledged);
  });
});
