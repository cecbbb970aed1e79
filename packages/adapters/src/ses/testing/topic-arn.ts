export const TOPIC_ARN = 'arn:aws:sns:eu-central-1:123456789012:ses-events';
