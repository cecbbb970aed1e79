import { useParams } from '@tanstack/react-router';

/** The domain of the address. */
export function useDomainName(): string {
  return useParams({ from: '/in/domains/$domain' }).domain;
}
