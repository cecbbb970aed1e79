/** The domain of AWS's services in each partition that has SNS and SES. */
const SERVICE_DOMAINS: Record<string, string> = {
  aws: 'amazonaws.com',
  'aws-us-gov': 'amazonaws.com',
  'aws-cn': 'amazonaws.com.cn',
  'aws-eusc': 'amazonaws.eu',
};

/** A topic whose messages are accepted, and the host of its certificates and subscription URLs. */
export interface SnsTopic {
  arn: string;
  host: string;
}

/** Computes the host from the setting, so that no URL in an unverified message is trusted. @throws Error */
export function pinTopic(arn: string): SnsTopic {
  const [prefix, partition = '', service, region = '', account, name, ...rest] = arn.split(':');
  const domain = Object.hasOwn(SERVICE_DOMAINS, partition) ? SERVICE_DOMAINS[partition] : undefined;
  const whole = prefix === 'arn' && service === 'sns' && rest.length === 0 && Boolean(account) && Boolean(name);
  if (!whole || domain === undefined || !/^[a-z]+(-[a-z0-9]+)+$/.test(region)) {
    throw new Error(`${arn} is not the ARN of an SNS topic in a known partition`);
  }
  return { arn, host: `sns.${region}.${domain}` };
}
