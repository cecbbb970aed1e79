{* The DNS records of the domain. WHMCS escapes nothing by itself, so every value is escaped here. *}
<div class="mailstead-dns">
  {if $mailsteadDns}
    <h3>DNS records of {$mailsteadDns.name|escape:'html'}</h3>
    {if $mailsteadDns.isComplete}
      <p class="alert alert-success">All necessary records are in the DNS.</p>
    {else}
      <p class="alert alert-warning">Some records are missing or wrong. Add them where the DNS of the domain is managed.</p>
    {/if}
    <table class="table table-striped">
      <thead>
        <tr><th>For</th><th>Type</th><th>Name</th><th>Value</th><th>State</th></tr>
      </thead>
      <tbody>
        {foreach from=$mailsteadDns.records item=record}
          <tr>
            <td>{$record.purpose|escape:'html'}{if !$record.isRequired} (advice){/if}</td>
            <td>{$record.type|escape:'html'}</td>
            <td style="word-break: break-all">{$record.name|escape:'html'}</td>
            <td style="word-break: break-all">
              {foreach from=$record.values item=value}<div><code>{$value|escape:'html'}</code></div>{/foreach}
            </td>
            <td>
              {$record.status|escape:'html'}
              {if $record.detail}<div><small>{$record.detail|escape:'html'}</small></div>{/if}
              {foreach from=$record.found item=value}<div><small>found: <code>{$value|escape:'html'}</code></small></div>{/foreach}
            </td>
          </tr>
        {/foreach}
      </tbody>
    </table>
  {elseif $mailsteadIsActive}
    <p class="alert alert-info">The DNS records cannot be shown now. Please try again in a few minutes.</p>
  {/if}
</div>
