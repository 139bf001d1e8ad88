import { copyableHtml, escapeHtml, pageHtml } from '../page.js';

/** The large links of the landing page. */
const MAIN_LINKS = [
  ['/docs', 'Call the API', 'Read every operation, and try it out in the browser.'],
  ['/docs/events', 'Receive events', 'Topics in Kafka, signed webhooks and order callbacks, with the schema of each message.'],
  ['/docs/guides', 'Read the guides', 'Walks for clients, webhooks and topics; operations, audit and the whole contract.'],
  ['/ops', 'Watch the service', 'What it does now, what waits and what an event has caused, for operators and auditors.'],
  ['/errors', 'Handle errors', 'Every kind of problem with its cause, its remedy and an example.'],
] as const;

const FOR_PROGRAMS = [
  ['/openapi.json', 'the API in OpenAPI 3.2'],
  ['/openapi-3.1.json', 'the API in OpenAPI 3.1'],
  ['/asyncapi.json', 'the events in AsyncAPI 3.1'],
  ['/asyncapi-3.0.json', 'the events in AsyncAPI 3.0'],
  ['/health/ready', 'whether the service is ready'],
] as const;

// The shell commands that the page shows as the first steps.
const tokenStep = (tokenCommand: string): string => `TOKEN=$(${tokenCommand})`;

const tokenStepHtml = (tokenCommand: string | null): string =>
  tokenCommand === null
    ? '<p>This store is in memory, so no command can create a token. An account gets a token for <code>TOKEN</code> with <a href="/docs"><code>POST /v1/auth/tokens</code></a>.</p>'
    : `<p>An operator runs this command in the folder of the service. The token is valid for one hour.</p>${copyableHtml(tokenStep(tokenCommand))}`;
const AS_STAFF = `-H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'`;
/** Shows a response, and passes its id on. Every system has sed. */
const READ_ID = `tee /dev/stderr | sed 's/.*"id":"\\([^"]*\\)".*/\\1/'`;

const petStep = (publicUrl: string): string => `PET=$(curl -s ${publicUrl}/v1/pets \\
  ${AS_STAFF} \\
  -d '{"name":"Biscuit","species":"dog","ageMonths":14,"price":"250.00","currency":"USD"}' | ${READ_ID})`;
const listStep = (publicUrl: string): string => `curl -s "${publicUrl}/v1/pets?species=dog"`;
const orderStep = (publicUrl: string): string => `ORDER=$(curl -s ${publicUrl}/v1/orders \\
  ${AS_STAFF} \\
  -d "{\\"petId\\":\\"$PET\\"}" | ${READ_ID})`;
const payStep = (publicUrl: string): string => `curl -s ${publicUrl}/v1/orders/$ORDER/payment \\
  ${AS_STAFF} \\
  -d '{"amount":"250.00","currency":"USD","source":{"object":"card","number":"4242424242424242","cvc":"123","expMonth":12,"expYear":2031}}'
curl -s ${publicUrl}/v1/orders/$ORDER \\
  ${AS_STAFF}`;

/** Creates the landing page. `tokenCommand` is the shell command that creates a token, or null if there is none. */
export const landingHtml = (publicUrl: string, tokenCommand: string | null): string =>
  pageHtml({
    title: 'Welcome',
    body: `<main class="page landing">
<h1>Pet Store</h1>
<p class="lead">A service for pet adoption and a pet store, with a JSON API over HTTP. Clients find, order and pay for pets. Every change is an event in an append-only log.</p>
<section aria-labelledby="next"><h2 id="next">Where to go next</h2>
<ul class="cards">${MAIN_LINKS.map(
      ([href, title, text]) => `<li><a href="${href}"><strong>${title}</strong><span>${escapeHtml(text)}</span></a></li>`,
    ).join('')}</ul></section>
<section aria-labelledby="first"><h2 id="first">From a token to a paid order</h2>
<ol class="steps">
<li><h3>Get a token</h3>${tokenStepHtml(tokenCommand)}</li>
<li><h3>Add a pet</h3><p>This request needs a token with scope <code>write:pets</code>. The token of step 1 has this scope.</p>${copyableHtml(petStep(publicUrl))}</li>
<li><h3>Find the pet</h3><p>This request needs no token.</p>${copyableHtml(listStep(publicUrl))}</li>
<li><h3>Order the pet</h3><p>The order reserves the pet, and shows the amount that is due and until when.</p>${copyableHtml(orderStep(publicUrl))}</li>
<li><h3>Pay</h3><p>The number is that of a test card; <a href="/docs#/Payments/createOrderPayment">others are declined</a>. A moment later the order is <code>approved</code> and the pet is <code>ADOPTED</code>.</p>${copyableHtml(payStep(publicUrl))}</li>
</ol></section>
<section aria-labelledby="programs"><h2 id="programs">For programs</h2>
<ul class="files">${FOR_PROGRAMS.map(([href, text]) => `<li><a href="${href}"><code>${href}</code></a> ${text}</li>`).join('')}</ul>
<p>A program that requests this page gets these links as JSON.</p></section>
</main>`,
  });
