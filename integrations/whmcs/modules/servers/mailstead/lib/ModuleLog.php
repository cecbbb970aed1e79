<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

/** WHMCS's module log (Configuration → System Logs → Module Log). No secret is handed to it. */
final class ModuleLog
{
    private const MASK = '********';
    private const MAX_CHARACTERS = 4_000;

    /** @param list<string> $secrets */
    public function __construct(private readonly string $action, private array $secrets = [])
    {
    }

    /** Masks this text from now on. */
    public function hide(string $secret): void
    {
        $this->secrets[] = $secret;
    }

    /** @return string the text without secrets, and without the codes of portal links */
    public function masked(string $text): string
    {
        return preg_replace('/#code=[\w-]+/', '#code=' . self::MASK, str_replace($this->secrets, self::MASK, $text)) ?? self::MASK;
    }

    /**
     * @param string $request as `PUT /domains/example.org/suspend {…}`
     * @param string $response as `200 {…}`, or why there is none
     * @param string $sentence what the function returns; empty while it goes on
     */
    public function append(string $request, string $response, string $sentence = ''): void
    {
        if (!function_exists('logModuleCall')) {
            return;
        }
        $texts = array_map(fn (string $text) => substr($this->masked($text), 0, self::MAX_CHARACTERS), [$request, $response, $sentence]);
        logModuleCall('mailstead', $this->action, $texts[0], $texts[1], $texts[2], $this->secrets);
    }
}
