<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

/** The module settings of a product: configoption1, configoption2, … */
final class Settings
{
    private const NO_PLAN = 'none';

    /** The column of WHMCS's table of products that has the partner. */
    public const PARTNER_COLUMN = 'configoption2';

    private function __construct(
        /** The plan to set; null: the product sets none. */
        public readonly ?string $plan,
        /** The partner whose domains the product makes; null: that of the key. */
        public readonly ?string $partner,
        public readonly bool $deletes,
    ) {
    }

    /** @return array<string, array<string, mixed>> */
    public static function options(): array
    {
        return [
            'Plan' => [
                'Type' => 'dropdown',
                'Options' => [self::NO_PLAN => 'none', 'starter' => 'starter', 'business' => 'business', 'enterprise' => 'enterprise'],
                'Default' => self::NO_PLAN,
                'Description' => 'Only a billing token sets plans. With a partner\'s key choose none.',
            ],
            'Partner' => [
                'Type' => 'text',
                'Size' => '40',
                'Description' => 'With a billing token: the partner whose domains are sold. With a partner\'s key: empty.',
            ],
            'Delete on termination' => [
                'Type' => 'yesno',
                'Description' => 'Tick to delete the domain with its mailboxes and mail. Without it termination suspends.',
            ],
        ];
    }

    /** @param array<string, mixed> $params the parameters of WHMCS */
    public static function of(array $params): self
    {
        $text = static fn (string $name): string => trim((string) ($params[$name] ?? ''));
        $plan = strtolower($text('configoption1'));
        $partner = $text(self::PARTNER_COLUMN);
        return new self(
            $plan === '' || $plan === self::NO_PLAN ? null : $plan,
            $partner === '' ? null : $partner,
            in_array(strtolower($text('configoption3')), ['on', 'yes', '1'], true),
        );
    }

    /**
     * The partner of the product's domains.
     *
     * @throws Failure when the settings do not fit the token
     */
    public function partnerFor(Caller $caller): string
    {
        if ($caller->partner === null && $this->partner === null) {
            throw new Failure('Name the partner in the module settings of the product: a billing token is for many partners.');
        }
        if ($caller->partner !== null && $this->partner !== null && $this->partner !== $caller->partner) {
            throw new Failure(
                "The module settings of the product name the partner \"$this->partner\", but the API key is one of \"$caller->partner\".",
            );
        }
        return $caller->partner ?? (string) $this->partner;
    }

    /**
     * @return string|null the plan to set
     * @throws Failure when the token cannot set it
     */
    public function planFor(Caller $caller): ?string
    {
        if ($this->plan !== null && $caller->isPartner()) {
            throw new Failure(
                'A partner\'s API key sets no plan: choose the plan none in the module settings of the product, or give the server a billing token.',
            );
        }
        return $this->plan;
    }
}
