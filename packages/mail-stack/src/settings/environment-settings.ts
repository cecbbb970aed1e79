/** The name servers of the API and the worker (`DNS_SERVERS`), when the doctor has the setting in its environment. */
export function dnsServers(): string[] {
  return (process.env.DNS_SERVERS ?? '')
    .split(',')
    .map((server) => server.trim())
    .filter((server) => server !== '');
}
