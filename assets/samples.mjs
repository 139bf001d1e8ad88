const json = (value) => JSON.stringify(value, null, 2);
const indent = (text, by) => text.replaceAll('\n', `\n${by}`);
/** The JSON as Python: only the constants differ. */
const python = (value, by = '') => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${by}    `;
  const [open, close, lines] = Array.isArray(value)
    ? ['[', ']', value.map((item) => inner + python(item, inner))]
    : ['{', '}', Object.entries(value).map(([name, item]) => `${inner}${JSON.stringify(name)}: ${python(item, inner)}`)];
  return lines.length === 0 ? open + close : `${open}\n${lines.join(',\n')},\n${by}${close}`;
};

const curl = ({ method, url, needsToken, body, isUpload }) =>
  [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'`,
    needsToken && `-H "Authorization: Bearer $TOKEN"`,
    body !== undefined && `-H 'Content-Type: application/json'`,
    body !== undefined && `-d '${json(body).replaceAll("'", `'\\''`)}'`,
    isUpload && `-F 'file=@photo.jpg'`,
  ]
    .filter(Boolean)
    .join(' \\\n  ');

const typescript = ({ method, url, needsToken, body, isUpload }) => {
  const headers = [needsToken && 'Authorization: `Bearer ${token}`', body !== undefined && `'Content-Type': 'application/json'`].filter(
    Boolean,
  );
  const options = [
    method !== 'GET' && `method: '${method}'`,
    headers.length > 0 && `headers: { ${headers.join(', ')} }`,
    body !== undefined && `body: JSON.stringify(${indent(json(body), '  ')})`,
    isUpload && 'body: form',
  ].filter(Boolean);
  const given = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option},\n`).join('')}}`;
  return [
    ...(isUpload ? ['const form = new FormData();', `form.append('file', photo, 'photo.jpg'); // a Blob`] : []),
    `const response = await fetch('${url}'${given});`,
    method === 'DELETE' ? 'console.log(response.status);' : 'console.log(response.status, await response.json());',
  ].join('\n');
};

const pythonRequest = ({ method, url, needsToken, body, isUpload }) => {
  const options = [
    needsToken && 'headers={"Authorization": f"Bearer {token}"}',
    body !== undefined && `json=${python(body, '    ')}`,
    isUpload && 'files={"file": ("photo.jpg", open("photo.jpg", "rb"), "image/jpeg")}',
  ].filter(Boolean);
  return [
    'import requests',
    '',
    `response = requests.request(${[`"${method}"`, `"${url}"`].join(', ')}${options.length === 0 ? ')' : `,\n${options.map((option) => `    ${option},\n`).join('')})`}`,
    method === 'DELETE' ? 'print(response.status_code)' : 'print(response.status_code, response.json())',
  ].join('\n');
};

/** The languages of the samples, each with a function that writes a request in it. */
const SAMPLES = { curl, TypeScript: typescript, Python: pythonRequest };

/** Describes the request of an operation by its examples. `spec` is the document that the page shows. */
const sampleRequest = (spec, path, method) => {
  const { parameters = [], requestBody, security = [] } = spec.paths[path][method];
  const resolved = parameters.map((one) => (one.$ref ? spec.components.parameters[one.$ref.split('/').at(-1)] : one));
  const required = resolved.filter((one) => one.in === 'query' && one.required);
  const query = required.map(({ name }) => `${name}=${name.toUpperCase()}`).join('&');
  const { 'application/json': content, 'multipart/form-data': form } = requestBody?.content ?? {};
  const example = Object.values(content?.examples ?? {})[0]?.value ?? content?.example;
  const address = path.replace(/\{(\w+)\}/g, (_, name) => name.toUpperCase());
  return {
    method: method.toUpperCase(),
    url: `${location.origin}${spec.servers[0].url.replace(/\/$/, '')}${address}${query === '' ? '' : `?${query}`}`,
    needsToken: security.length > 0,
    body: example,
    isUpload: content === undefined && form !== undefined,
  };
};

/** A part of Swagger UI that shows a request in the chosen language. The choice holds for all operations. */
export const samplesComponent = ({ createElement: h, useState }, spec) => {
  let chosen = localStorage.getItem('language') ?? 'curl';
  if (!Object.hasOwn(SAMPLES, chosen)) chosen = 'curl';
  return function Samples({ path, method }) {
    const [language, choose] = useState(chosen);
    const text = SAMPLES[language](sampleRequest(spec, path, method));
    const button = (name) =>
      h(
        'button',
        {
          key: name,
          type: 'button',
          'aria-pressed': name === language,
          onClick: () => {
            chosen = name;
            localStorage.setItem('language', name);
            choose(name);
          },
        },
        name,
      );
    return h(
      'div',
      { className: 'samples' },
      h(
        'div',
        { className: 'opblock-section-header' },
        h('h4', null, 'Sample'),
        h('div', { className: 'languages', role: 'group', 'aria-label': 'Language of the sample' }, Object.keys(SAMPLES).map(button)),
      ),
      h(
        'div',
        { className: 'copyable' },
        h('pre', { tabIndex: 0 }, h('code', null, text)),
        navigator.clipboard && h('button', { type: 'button' }, 'Copy'),
      ),
    );
  };
};
