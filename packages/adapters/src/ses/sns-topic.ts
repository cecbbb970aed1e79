/** The domain of AWS's services, by partition. */
const SERVICE_DOMAINS: Record<string, string> = {
  aws: 'amazonaws.com',
  'aws-us-gov': 'amazonaws.com',
  'aws-cn': 'amazonaws.com.cn',
  'aws-eusc': 'amazonaws.eu',
};

/** A topic whose messages are accepted. `host` serves its certificates and subscription URLs. */
export interface SnsTopic {
  arn: string;
  host: string;
}

/**
 * Derives the host from the ARN in the settings, because a URL in an unverified message cannot be trusted.
 *
 * @throws Error
 */
export function parseTopicArn(arn: string): SnsTopic {
  const [prefix, partition = '', service, region = '', account, name, ...rest] = arn.split(':');
  const domain = Object.hasOwn(SERVICE_DOMAINS, partition) ? SERVICE_DOMAINS[partition] : undefined;
  const isTopic = prefix === 'arn' && service === 'sns' && rest.length === 0 && Boolean(account) && Boolean(name);
  if (!isTopic || domain === undefined || !/^[a-z]+(-[a-z0-9]+)+$/.test(region)) {
    throw new Error(`${arn} is not the ARN of an SNS topic in a known partition`);
  }
  return { arn, host: `sns.${region}.${domain}` };
}
