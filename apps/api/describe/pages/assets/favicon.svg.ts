/** The icon of the pages: a paw. */
export const FAVICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#0b6b5d"/>
<g fill="#fff"><ellipse cx="8.6" cy="14.6" rx="2.5" ry="3.3" transform="rotate(-22 8.6 14.6)"/><ellipse cx="13.2" cy="9.6" rx="2.6" ry="3.6" transform="rotate(-6 13.2 9.6)"/><ellipse cx="18.8" cy="9.6" rx="2.6" ry="3.6" transform="rotate(6 18.8 9.6)"/><ellipse cx="23.4" cy="14.6" rx="2.5" ry="3.3" transform="rotate(22 23.4 14.6)"/><path d="M16 15.6c-3.6 0-7 4-7 7 0 2.2 1.7 3.2 3.4 3.2 1.4 0 2.4-.7 3.6-.7s2.2.7 3.6.7c1.7 0 3.4-1 3.4-3.2 0-3-3.4-7-7-7z"/></g>
</svg>
`;
