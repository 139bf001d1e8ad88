import sharp from 'sharp';

/** Draws an SVG of this program as PNG. Never call this with the file of a user: SVG can refer to other files. */
export const drawPng = (svg: string): Promise<Uint8Array> => sharp(Buffer.from(svg)).png({ palette: true }).toBuffer();
