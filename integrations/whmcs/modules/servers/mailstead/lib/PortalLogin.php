<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

/** The link by which a customer enters Mailstead's portal for its one domain. */
final class PortalLogin
{
    public function __construct(private readonly Module $module)
    {
    }

    /**
     * With a partner's key the customer manages the domain; with a billing token it sees the DNS records.
     *
     * @return string the URL, with a code that is as good as a password until it is used
     */
    public function link(): string
    {
        $domain = $this->module->ownDomain();
        $kind = $this->module->caller()->isPartner() ? ['scope' => 'manage', 'minutes' => 5] : ['scope' => 'dns', 'days' => 1];
        $link = $this->module->api->post('/portal-links', ['domain' => $domain['name']] + $kind);
        $url = $link['url'] ?? null;
        if (!is_string($url)) {
            throw new Failure('Mailstead answered no link.');
        }
        return $this->absolute($url);
    }

    private function absolute(string $url): string
    {
        if (str_starts_with($url, '/') && !str_starts_with($url, '//')) {
            return $this->module->address->origin() . $url;
        }
        if (!str_starts_with($url, 'https://')) {
            throw new Failure('Mailstead answered a link that is not https: set PUBLIC_URL of Mailstead.');
        }
        return $url;
    }
}
