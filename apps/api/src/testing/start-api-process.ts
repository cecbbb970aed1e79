import { Child } from '@mailstead/core/testing/child';

/** Starts an API with this environment. */
export type StartApi<Api> = (environment: Record<string, string>) => Promise<Api>;

/** Starts the built API as a process of its own, which a test may kill, and waits until it answers. */
export async function startApiProcess(environment: Record<string, string>): Promise<Child> {
  const api = new Child('api', environment);
  await api.until(async () => (await fetch(`http://127.0.0.1:${environment.PORT}/health`)).ok);
  return api;
}
