// Pictures for a repository: the 256 colours that matter, the others as the nearest of them.
import { deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const crcTable = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  let crc = 0xffffffff;
  for (const byte of body) crc = crcTable[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE((crc ^ 0xffffffff) >>> 0, body.length + 4);
  return out;
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const byLeft = Math.abs(guess - left);
  const byUp = Math.abs(guess - up);
  const byCorner = Math.abs(guess - corner);
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

// Eight bits of red, green, blue and perhaps alpha, not interlaced: what browsers write.
function decoded(png) {
  let at = signature.length;
  let header;
  const parts = [];
  while (at < png.length) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = data;
    if (type === 'IDAT') parts.push(data);
    at += length + 12;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = header[9] === 6 ? 4 : 3;
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row += 1) {
    const filter = raw[row * (stride + 1)];
    for (let column = 0; column < stride; column += 1) {
      const place = row * stride + column;
      const left = column >= channels ? pixels[place - channels] : 0;
      const up = row > 0 ? pixels[place - stride] : 0;
      const corner = row > 0 && column >= channels ? pixels[place - stride - channels] : 0;
      const added = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[place] = raw[row * (stride + 1) + 1 + column] + added;
    }
  }
  return { width, height, channels, pixels };
}

export function smallPng(png) {
  const { width, height, channels, pixels } = decoded(png);
  const colours = new Uint32Array(width * height);
  const counts = new Map();
  for (let index = 0; index < colours.length; index += 1) {
    const at = index * channels;
    colours[index] = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
    counts.set(colours[index], (counts.get(colours[index]) ?? 0) + 1);
  }
  const palette = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 256).map(([colour]) => colour);
  const near = new Map(palette.map((colour, index) => [colour, index]));
  const nearest = (colour) => {
    let [best, found] = [Infinity, 0];
    palette.forEach((each, index) => {
      const distance = ((each >> 16) - (colour >> 16)) ** 2 + (((each >> 8) & 255) - ((colour >> 8) & 255)) ** 2 + ((each & 255) - (colour & 255)) ** 2;
      if (distance < best) [best, found] = [distance, index];
    });
    near.set(colour, found);
    return found;
  };
  const rows = Buffer.alloc((width + 1) * height);
  for (let index = 0; index < colours.length; index += 1) {
    rows[index + Math.floor(index / width) + 1] = near.get(colours[index]) ?? nearest(colours[index]);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const table = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([signature, chunk('IHDR', header), chunk('PLTE', table), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}
