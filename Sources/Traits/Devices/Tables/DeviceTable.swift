// Written by Sources/Traits/Devices/Tables/generate.py from devices.tsv: change that file
// instead. Columns: identifier, name, idiom, soc, platform, earliest, latest, subtype, scale,
// gamut, memory, graphics mask, hosted, display mode, points, pixels, native scale,
// landscape width, slide over + split view + external display, Stage Manager, windows,
// second display, suppositions.
// swift-format-ignore-file

let deviceTable: StaticString = """
iPhone3,1;iPhone 4;phone;A4;iOS;4;7;?;2;?;?;?;?;-;320x480;640x960;2;compact;000;-;-;-;-
iPhone3,2;iPhone 4;phone;A4;iOS;4;7;?;2;?;?;?;?;-;320x480;640x960;2;compact;000;-;-;-;-
iPhone3,3;iPhone 4;phone;A4;iOS;4;7;?;2;?;?;?;?;-;320x480;640x960;2;compact;000;-;-;-;-
iPhone4,1;iPhone 4s;phone;A5;iOS;5;9;?;2;sRGB;0;1;-;-;320x480;640x960;2;compact;000;-;-;-;-
iPhone5,1;iPhone 5;phone;A6;iOS;6;10;568;2;sRGB;1;1;car|watch;-;320x568;640x1136;2;compact;000;-;-;-;-
iPhone5,2;iPhone 5;phone;A6;iOS;6;10;568;2;sRGB;1;1;car|watch;-;320x568;640x1136;2;compact;000;-;-;-;-
iPhone5,3;iPhone 5c;phone;A6;iOS;7;10;568;2;sRGB;1;1;car|watch;-;320x568;640x1136;2;compact;000;-;-;-;-
iPhone5,4;iPhone 5c;phone;A6;iOS;7;10;568;2;sRGB;1;1;car|watch;-;320x568;640x1136;2;compact;000;-;-;-;-
iPhone6,1;iPhone 5s;phone;A7;iOS;7;12;568;2;sRGB;1;3;car|watch;-;320x568;640x1136;2;compact;000;-;-;-;-
iPhone6,2;iPhone 5s;phone;A7;iOS;7;12;568;2;sRGB;1;3;car|watch;-;320x568;640x1136;2;compact;000;-;-;-;-
iPhone7,2;iPhone 6;phone;A8;iOS;8;12;569;2;sRGB;1;7;car|watch;-;375x667;750x1334;2;compact;000;-;-;-;-
iPhone7,1;iPhone 6 Plus;phone;A8;iOS;8;12;570;3;sRGB;1;7;car|watch;-;414x736;1080x1920;2.609;regular;000;-;-;-;-
iPhone8,1;iPhone 6s;phone;A9;iOS;9.0.1;15;569;2;sRGB;2;1f;car;-;375x667;750x1334;2;compact;000;-;-;-;-
iPhone8,2;iPhone 6s Plus;phone;A9;iOS;9.0.1;15;570;3;sRGB;2;1f;car;-;414x736;1080x1920;2.609;regular;000;-;-;-;-
iPhone8,4;iPhone SE (1st generation);phone;A9;iOS;9.3;15;568;2;sRGB;2;1f;car;-;320x568;640x1136;2;compact;000;-;-;-;-
iPhone9,1;iPhone 7;phone;A10 Fusion;iOS;10;15;569;2;P3;2;1f;car;-;375x667;750x1334;2;compact;000;-;-;-;-
iPhone9,3;iPhone 7;phone;A10 Fusion;iOS;10;15;569;2;P3;2;1f;car;-;375x667;750x1334;2;compact;000;-;-;-;-
iPhone9,2;iPhone 7 Plus;phone;A10 Fusion;iOS;10;15;570;3;P3;3;1f;car;-;414x736;1080x1920;2.609;regular;000;-;-;-;-
iPhone9,4;iPhone 7 Plus;phone;A10 Fusion;iOS;10;15;570;3;P3;3;1f;car;-;414x736;1080x1920;2.609;regular;000;-;-;-;-
iPhone10,1;iPhone 8;phone;A11 Bionic;iOS;11;16;569;2;P3;2;3f;car;-;375x667;750x1334;2;compact;000;-;-;-;-
iPhone10,4;iPhone 8;phone;A11 Bionic;iOS;11;16;569;2;P3;2;3f;car;-;375x667;750x1334;2;compact;000;-;-;-;-
iPhone10,2;iPhone 8 Plus;phone;A11 Bionic;iOS;11;16;570;3;P3;3;3f;car;-;414x736;1080x1920;2.609;regular;000;-;-;-;-
iPhone10,5;iPhone 8 Plus;phone;A11 Bionic;iOS;11;16;570;3;P3;3;3f;car;-;414x736;1080x1920;2.609;regular;000;-;-;-;-
iPhone10,3;iPhone X;phone;A11 Bionic;iOS;11.1;16;2436;3;P3;3;3f;car;-;375x812;1125x2436;3;compact;000;-;-;-;-
iPhone10,6;iPhone X;phone;A11 Bionic;iOS;11.1;16;2436;3;P3;3;3f;car;-;375x812;1125x2436;3;compact;000;-;-;-;-
iPhone11,2;iPhone Xs;phone;A12 Bionic;iOS;12;18;2436;3;P3;4;7f;car;-;375x812;1125x2436;3;compact;000;-;-;-;-
iPhone11,4;iPhone Xs Max;phone;A12 Bionic;iOS;12;18;2688;3;P3;4;7f;car;-;414x896;1242x2688;3;regular;000;-;-;-;-
iPhone11,6;iPhone Xs Max;phone;A12 Bionic;iOS;12;18;2688;3;P3;4;7f;car;-;414x896;1242x2688;3;regular;000;-;-;-;-
iPhone11,8;iPhone Xʀ;phone;A12 Bionic;iOS;12;18;1792;2;P3;3;7f;car;-;414x896;828x1792;2;regular;000;-;-;-;-
iPhone12,1;iPhone 11;phone;A13 Bionic;iOS;13;-;1792;2;P3;4;ff;car;-;414x896;828x1792;2;regular;000;-;-;-;-
iPhone12,3;iPhone 11 Pro;phone;A13 Bionic;iOS;13;-;2436;3;P3;4;ff;car;-;375x812;1125x2436;3;compact;000;-;-;-;-
iPhone12,5;iPhone 11 Pro Max;phone;A13 Bionic;iOS;13;-;2688;3;P3;4;ff;car;-;414x896;1242x2688;3;regular;000;-;-;-;-
iPhone12,8;iPhone SE (2nd generation);phone;A13 Bionic;iOS;13.4.1;-;569;2;P3;3;ff;car;-;375x667;750x1334;2;compact;000;-;-;-;-
iPhone13,2;iPhone 12;phone;A14 Bionic;iOS;14.1;-;2532;3;P3;4;1ff;car;-;390x844;1170x2532;3;compact;000;-;-;-;-
iPhone13,1;iPhone 12 mini;phone;A14 Bionic;iOS;14.2;-;2340;3;P3;4;1ff;car;-;375x812;1080x2340;2.88;compact;000;-;-;-;-
iPhone13,3;iPhone 12 Pro;phone;A14 Bionic;iOS;14.1;-;2532;3;P3;6;1ff;car;-;390x844;1170x2532;3;compact;000;-;-;-;-
iPhone13,4;iPhone 12 Pro Max;phone;A14 Bionic;iOS;14.2;-;2778;3;P3;6;1ff;car;-;428x926;1284x2778;3;regular;000;-;-;-;-
iPhone14,5;iPhone 13;phone;A15 Bionic;iOS;15;-;2532;3;P3;4;3ff;car;-;390x844;1170x2532;3;compact;000;-;-;-;-
iPhone14,4;iPhone 13 mini;phone;A15 Bionic;iOS;15;-;2340;3;P3;4;3ff;car;-;375x812;1080x2340;2.88;compact;000;-;-;-;-
iPhone14,2;iPhone 13 Pro;phone;A15 Bionic;iOS;15;-;2532;3;P3;6;3ff;car;-;390x844;1170x2532;3;compact;000;-;-;-;-
iPhone14,3;iPhone 13 Pro Max;phone;A15 Bionic;iOS;15;-;2778;3;P3;6;3ff;car;-;428x926;1284x2778;3;regular;000;-;-;-;-
iPhone14,6;iPhone SE (3rd generation);phone;A15 Bionic;iOS;15.4;-;569;2;P3;4;3ff;car;-;375x667;750x1334;2;compact;000;-;-;-;-
iPhone14,7;iPhone 14;phone;A15 Bionic;iOS;16;-;2532;3;P3;6;3ff;car;-;390x844;1170x2532;3;compact;000;-;-;-;-
iPhone14,8;iPhone 14 Plus;phone;A15 Bionic;iOS;16;-;2778;3;P3;6;3ff;car;-;428x926;1284x2778;3;regular;000;-;-;-;-
iPhone15,2;iPhone 14 Pro;phone;A16 Bionic;iOS;16;-;2556;3;P3;6;3ff;car;-;393x852;1179x2556;3;compact;000;-;-;-;-
iPhone15,3;iPhone 14 Pro Max;phone;A16 Bionic;iOS;16;-;2796;3;P3;6;3ff;car;-;430x932;1290x2796;3;regular;000;-;-;-;-
iPhone15,4;iPhone 15;phone;A16 Bionic;iOS;17.0.2;-;2556;3;P3;6;3ff;car;-;393x852;1179x2556;3;compact;000;-;-;-;-
iPhone15,5;iPhone 15 Plus;phone;A16 Bionic;iOS;17.0.2;-;2796;3;P3;6;3ff;car;-;430x932;1290x2796;3;regular;000;-;-;-;-
iPhone16,1;iPhone 15 Pro;phone;A17 Pro;iOS;17.0.2;-;2556;3;P3;8;7ff;car;-;393x852;1179x2556;3;compact;000;-;-;-;-
iPhone16,2;iPhone 15 Pro Max;phone;A17 Pro;iOS;17.0.2;-;2796;3;P3;8;7ff;car;-;430x932;1290x2796;3;regular;000;-;-;-;-
iPhone17,3;iPhone 16;phone;A18;iOS;18;-;2556;3;P3;8;7ff;car;-;393x852;1179x2556;3;compact;000;-;-;-;-
iPhone17,4;iPhone 16 Plus;phone;A18;iOS;18;-;2796;3;P3;8;7ff;car;-;430x932;1290x2796;3;regular;000;-;-;-;-
iPhone17,1;iPhone 16 Pro;phone;A18 Pro;iOS;18;-;2622;3;P3;8;7ff;car;-;402x874;1206x2622;3;compact;000;-;-;-;-
iPhone17,2;iPhone 16 Pro Max;phone;A18 Pro;iOS;18;-;2868;3;P3;8;7ff;car;-;440x956;1320x2868;3;regular;000;-;-;-;-
iPhone17,5;iPhone 16e;phone;A18;iOS;18.3.1;-;2532;3;P3;8;7ff;car;-;390x844;1170x2532;3;compact;000;-;-;-;-
iPhone18,3;iPhone 17;phone;A19;iOS;26;-;2622;3;P3;8;fff;car;-;402x874;1206x2622;3;compact;000;-;-;-;-
iPhone18,4;iPhone Air;phone;A19 Pro;iOS;26;-;2736;3;P3;12;fff;car;-;420x912;1260x2736;3;regular;000;-;-;-;-
iPhone18,1;iPhone 17 Pro;phone;A19 Pro;iOS;26;-;2622;3;P3;12;fff;car;-;402x874;1206x2622;3;compact;000;-;-;-;-
iPhone18,2;iPhone 17 Pro Max;phone;A19 Pro;iOS;26;-;2868;3;P3;12;fff;car;-;440x956;1320x2868;3;regular;000;-;-;-;-
iPhone18,5;iPhone 17e;phone;A19;iOS;26.3;-;?;3;?;8;?;?;-;390x844;1170x2532;3;?;000;-;-;-;-
iPhone19,2;iPhone 18 Pro;phone;?;iOS;27;-;2622;3;P3;12;?;car;-;402x874;1206x2622;3;compact;000;-;27;-;subtype|gamut|memory|hosted
iPhone19,3;iPhone 18 Pro Max;phone;?;iOS;27;-;2868;3;P3;12;?;car;-;440x956;1320x2868;3;regular;000;-;27;-;subtype|gamut|memory|hosted
iPhone19,7;iPhone 18 Pro Max;phone;?;iOS;27;-;2868;3;P3;12;?;car;-;440x956;1320x2868;3;regular;000;-;27;-;subtype|gamut|memory|hosted
iPhone19,4;iPhone Duo;phone;?;iOS;27.1;-;?;3;P3;12;?;car;-;466x678;1398x2034;3;compact;000;-;27;669x951|1878x2670|2.807|3|sRGB;memory|hosted
iPad2,1;iPad 2;pad;A5;iPadOS;4.3;9;?;1;sRGB;0;1;-;-;768x1024;768x1024;1;-;000;-;-;-;-
iPad2,2;iPad 2;pad;A5;iPadOS;4.3;9;?;1;sRGB;0;1;-;-;768x1024;768x1024;1;-;000;-;-;-;-
iPad2,3;iPad 2;pad;A5;iPadOS;4.3;9;?;1;sRGB;0;1;-;-;768x1024;768x1024;1;-;000;-;-;-;-
iPad2,4;iPad 2;pad;A5;iPadOS;4.3;9;?;1;sRGB;0;1;-;-;768x1024;768x1024;1;-;000;-;-;-;-
iPad3,1;iPad (3rd generation);pad;A5X;iPadOS;5.1;9;?;2;sRGB;1;1;-;-;768x1024;1536x2048;2;-;000;-;-;-;-
iPad3,2;iPad (3rd generation);pad;A5X;iPadOS;5.1;9;?;2;sRGB;1;1;-;-;768x1024;1536x2048;2;-;000;-;-;-;-
iPad3,3;iPad (3rd generation);pad;A5X;iPadOS;5.1;9;?;2;sRGB;1;1;-;-;768x1024;1536x2048;2;-;000;-;-;-;-
iPad2,5;iPad mini;pad;A5;iPadOS;6;9;?;1;sRGB;0;1;-;-;768x1024;768x1024;1;-;000;-;-;-;-
iPad2,6;iPad mini;pad;A5;iPadOS;6;9;?;1;sRGB;0;1;-;-;768x1024;768x1024;1;-;000;-;-;-;-
iPad2,7;iPad mini;pad;A5;iPadOS;6;9;?;1;sRGB;0;1;-;-;768x1024;768x1024;1;-;000;-;-;-;-
iPad3,4;iPad (4th generation);pad;A6X;iPadOS;6;10;?;2;sRGB;1;1;-;-;768x1024;1536x2048;2;-;000;-;-;-;-
iPad3,5;iPad (4th generation);pad;A6X;iPadOS;6;10;?;2;sRGB;1;1;-;-;768x1024;1536x2048;2;-;000;-;-;-;-
iPad3,6;iPad (4th generation);pad;A6X;iPadOS;6;10;?;2;sRGB;1;1;-;-;768x1024;1536x2048;2;-;000;-;-;-;-
iPad4,1;iPad Air;pad;A7;iPadOS;7.0.3;12;?;2;sRGB;1;3;-;-;768x1024;1536x2048;2;-;100;-;-;-;-
iPad4,2;iPad Air;pad;A7;iPadOS;7.0.3;12;?;2;sRGB;1;3;-;-;768x1024;1536x2048;2;-;100;-;-;-;-
iPad4,3;iPad Air;pad;A7;iPadOS;7.0.3;12;?;2;sRGB;1;3;-;-;768x1024;1536x2048;2;-;100;-;-;-;-
iPad4,4;iPad mini 2;pad;A7;iPadOS;7.0.3;12;?;2;sRGB;1;3;-;-;768x1024;1536x2048;2;-;100;-;-;-;-
iPad4,5;iPad mini 2;pad;A7;iPadOS;7.0.3;12;?;2;sRGB;1;3;-;-;768x1024;1536x2048;2;-;100;-;-;-;-
iPad4,6;iPad mini 2;pad;A7;iPadOS;7.0.3;12;?;2;sRGB;1;3;-;-;768x1024;1536x2048;2;-;100;-;-;-;-
iPad4,7;iPad mini 3;pad;A7;iPadOS;8.1;12;?;2;sRGB;1;3;-;-;768x1024;1536x2048;2;-;100;-;-;-;-
iPad4,8;iPad mini 3;pad;A7;iPadOS;8.1;12;?;2;sRGB;1;3;-;-;768x1024;1536x2048;2;-;100;-;-;-;-
iPad4,9;iPad mini 3;pad;A7;iPadOS;8.1;12;?;2;sRGB;1;3;-;-;768x1024;1536x2048;2;-;100;-;-;-;-
iPad5,1;iPad mini 4;pad;A8;iPadOS;9;15;?;2;sRGB;2;7;-;-;768x1024;1536x2048;2;-;110;-;-;-;-
iPad5,2;iPad mini 4;pad;A8;iPadOS;9;15;?;2;sRGB;2;7;-;-;768x1024;1536x2048;2;-;110;-;-;-;-
iPad5,3;iPad Air 2;pad;A8X;iPadOS;8.1;15;?;2;sRGB;2;7;-;-;768x1024;1536x2048;2;-;110;-;-;-;-
iPad5,4;iPad Air 2;pad;A8X;iPadOS;8.1;15;?;2;sRGB;2;7;-;-;768x1024;1536x2048;2;-;110;-;-;-;-
iPad6,11;iPad (5th generation);pad;A9;iPadOS;10.3;16;?;2;sRGB;2;1f;-;-;768x1024;1536x2048;2;-;110;-;-;-;-
iPad6,12;iPad (5th generation);pad;A9;iPadOS;10.3;16;?;2;sRGB;2;1f;-;-;768x1024;1536x2048;2;-;110;-;-;-;-
iPad6,3;iPad Pro (9.7-inch);pad;A9X;iPadOS;9.3;16;?;2;P3;2;1f;-;-;768x1024;1536x2048;2;-;110;-;-;-;-
iPad6,4;iPad Pro (9.7-inch);pad;A9X;iPadOS;9.3;16;?;2;P3;2;1f;-;-;768x1024;1536x2048;2;-;110;-;-;-;-
iPad6,7;iPad Pro (12.9-inch);pad;A9X;iPadOS;9.1;16;2732;2;sRGB;4;1f;-;-;1024x1366;2048x2732;2;-;110;-;-;-;-
iPad6,8;iPad Pro (12.9-inch);pad;A9X;iPadOS;9.1;16;2732;2;sRGB;4;1f;-;-;1024x1366;2048x2732;2;-;110;-;-;-;-
iPad7,1;iPad Pro 12.9-inch (2nd generation);pad;A10X Fusion;iPadOS;10.3.2;17;2732;2;P3;4;1f;-;-;1024x1366;2048x2732;2;-;110;-;-;-;-
iPad7,2;iPad Pro 12.9-inch (2nd generation);pad;A10X Fusion;iPadOS;10.3.2;17;2732;2;P3;4;1f;-;-;1024x1366;2048x2732;2;-;110;-;-;-;-
iPad7,3;iPad Pro (10.5-inch);pad;A10X Fusion;iPadOS;10.3.2;17;2224;2;P3;4;1f;-;-;834x1112;1668x2224;2;-;110;-;-;-;-
iPad7,4;iPad Pro (10.5-inch);pad;A10X Fusion;iPadOS;10.3.2;17;2224;2;P3;4;1f;-;-;834x1112;1668x2224;2;-;110;-;-;-;-
iPad7,5;iPad (6th generation);pad;A10 Fusion;iPadOS;11.4;17;?;2;sRGB;2;1f;-;-;768x1024;1536x2048;2;-;110;-;-;-;-
iPad7,6;iPad (6th generation);pad;A10 Fusion;iPadOS;11.4;17;?;2;sRGB;2;1f;-;-;768x1024;1536x2048;2;-;110;-;-;-;-
iPad8,1;iPad Pro 11-inch;pad;A12X Bionic;iPadOS;12.1;-;2388;2;P3;4;7f;-;-;834x1194;1668x2388;2;-;110;16;26;-;-
iPad8,2;iPad Pro 11-inch;pad;A12X Bionic;iPadOS;12.1;-;2388;2;P3;6;7f;-;-;834x1194;1668x2388;2;-;110;16;26;-;-
iPad8,3;iPad Pro 11-inch;pad;A12X Bionic;iPadOS;12.1;-;2388;2;P3;4;7f;-;-;834x1194;1668x2388;2;-;110;16;26;-;-
iPad8,4;iPad Pro 11-inch;pad;A12X Bionic;iPadOS;12.1;-;2388;2;P3;6;7f;-;-;834x1194;1668x2388;2;-;110;16;26;-;-
iPad8,5;iPad Pro 12.9-inch (3rd generation);pad;A12X Bionic;iPadOS;12.1;-;2732;2;P3;4;7f;-;-;1024x1366;2048x2732;2;-;110;16;26;-;-
iPad8,6;iPad Pro 12.9-inch (3rd generation);pad;A12X Bionic;iPadOS;12.1;-;2732;2;P3;6;7f;-;-;1024x1366;2048x2732;2;-;110;16;26;-;-
iPad8,7;iPad Pro 12.9-inch (3rd generation);pad;A12X Bionic;iPadOS;12.1;-;2732;2;P3;4;7f;-;-;1024x1366;2048x2732;2;-;110;16;26;-;-
iPad8,8;iPad Pro 12.9-inch (3rd generation);pad;A12X Bionic;iPadOS;12.1;-;2732;2;P3;6;7f;-;-;1024x1366;2048x2732;2;-;110;16;26;-;-
iPad11,3;iPad Air (3rd generation);pad;A12 Bionic;iPadOS;12.2;-;2224;2;P3;3;7f;-;-;834x1112;1668x2224;2;-;110;26;26;-;-
iPad11,4;iPad Air (3rd generation);pad;A12 Bionic;iPadOS;12.2;-;2224;2;P3;3;7f;-;-;834x1112;1668x2224;2;-;110;26;26;-;-
iPad11,1;iPad mini (5th generation);pad;A12 Bionic;iPadOS;12.2;-;?;2;P3;3;7f;-;-;768x1024;1536x2048;2;-;110;26;26;-;-
iPad11,2;iPad mini (5th generation);pad;A12 Bionic;iPadOS;12.2;-;?;2;P3;3;7f;-;-;768x1024;1536x2048;2;-;110;26;26;-;-
iPad7,11;iPad (7th generation);pad;A10 Fusion;iPadOS;13.1;18;?;2;sRGB;3;1f;-;-;810x1080;1620x2160;2;-;110;-;-;-;-
iPad7,12;iPad (7th generation);pad;A10 Fusion;iPadOS;13.1;18;?;2;sRGB;3;1f;-;-;810x1080;1620x2160;2;-;110;-;-;-;-
iPad8,9;iPad Pro 11-inch (2nd generation);pad;A12Z Bionic;iPadOS;13.4;-;2388;2;P3;6;7f;-;-;834x1194;1668x2388;2;-;110;16;26;-;-
iPad8,10;iPad Pro 11-inch (2nd generation);pad;A12Z Bionic;iPadOS;13.4;-;2388;2;P3;6;7f;-;-;834x1194;1668x2388;2;-;110;16;26;-;-
iPad8,11;iPad Pro 12.9-inch (4th generation);pad;A12Z Bionic;iPadOS;13.4;-;2732;2;P3;6;7f;-;-;1024x1366;2048x2732;2;-;110;16;26;-;-
iPad8,12;iPad Pro 12.9-inch (4th generation);pad;A12Z Bionic;iPadOS;13.4;-;2732;2;P3;6;7f;-;-;1024x1366;2048x2732;2;-;110;16;26;-;-
iPad11,6;iPad (8th generation);pad;A12 Bionic;iPadOS;14;-;2160;2;sRGB;3;6f;-;-;810x1080;1620x2160;2;-;110;26;26;-;-
iPad11,7;iPad (8th generation);pad;A12 Bionic;iPadOS;14;-;2160;2;sRGB;3;6f;-;-;810x1080;1620x2160;2;-;110;26;26;-;-
iPad12,1;iPad (9th generation);pad;A13 Bionic;iPadOS;15;-;2160;2;sRGB;3;ef;-;-;810x1080;1620x2160;2;-;110;26;26;-;-
iPad12,2;iPad (9th generation);pad;A13 Bionic;iPadOS;15;-;2160;2;sRGB;3;ef;-;-;810x1080;1620x2160;2;-;110;26;26;-;-
iPad13,1;iPad Air (4th generation);pad;A14 Bionic;iPadOS;14.1;-;2360;2;P3;4;1ff;-;-;820x1180;1640x2360;2;-;110;26;26;-;-
iPad13,2;iPad Air (4th generation);pad;A14 Bionic;iPadOS;14.1;-;2360;2;P3;4;1ff;-;-;820x1180;1640x2360;2;-;110;26;26;-;-
iPad13,16;iPad Air (5th generation);pad;M1;iPadOS;15.4;-;2360;2;P3;8;1ff;-;-;820x1180;1640x2360;2;-;111;16;26;-;-
iPad13,17;iPad Air (5th generation);pad;M1;iPadOS;15.4;-;2360;2;P3;8;1ff;-;-;820x1180;1640x2360;2;-;111;16;26;-;-
iPad13,18;iPad (10th generation);pad;A14 Bionic;iPadOS;16.1;-;2360;2;sRGB;4;1ff;-;-;820x1180;1640x2360;2;-;110;26;26;-;-
iPad13,19;iPad (10th generation);pad;A14 Bionic;iPadOS;16.1;-;2360;2;sRGB;4;1ff;-;-;820x1180;1640x2360;2;-;110;26;26;-;-
iPad13,4;iPad Pro 11-inch (3rd generation);pad;M1;iPadOS;14.5.1;-;2388;2;P3;8;1ff;-;-;834x1194;1668x2388;2;-;111;16;26;-;-
iPad13,5;iPad Pro 11-inch (3rd generation);pad;M1;iPadOS;14.5.1;-;2388;2;P3;16;1ff;-;-;834x1194;1668x2388;2;-;111;16;26;-;-
iPad13,6;iPad Pro 11-inch (3rd generation);pad;M1;iPadOS;14.5.1;-;2388;2;P3;8;1ff;-;-;834x1194;1668x2388;2;-;111;16;26;-;-
iPad13,7;iPad Pro 11-inch (3rd generation);pad;M1;iPadOS;14.5.1;-;2388;2;P3;16;1ff;-;-;834x1194;1668x2388;2;-;111;16;26;-;-
iPad13,8;iPad Pro 12.9-inch (5th generation);pad;M1;iPadOS;14.5.1;-;2732;2;P3;8;1ff;-;-;1024x1366;2048x2732;2;-;111;16;26;-;-
iPad13,9;iPad Pro 12.9-inch (5th generation);pad;M1;iPadOS;14.5.1;-;2732;2;P3;16;1ff;-;-;1024x1366;2048x2732;2;-;111;16;26;-;-
iPad13,10;iPad Pro 12.9-inch (5th generation);pad;M1;iPadOS;14.5.1;-;2732;2;P3;8;1ff;-;-;1024x1366;2048x2732;2;-;111;16;26;-;-
iPad13,11;iPad Pro 12.9-inch (5th generation);pad;M1;iPadOS;14.5.1;-;2732;2;P3;16;1ff;-;-;1024x1366;2048x2732;2;-;111;16;26;-;-
iPad14,1;iPad mini (6th generation);pad;A15 Bionic;iPadOS;15;-;2266;2;P3;4;3f7;-;-;744x1133;1488x2266;2;-;110;26;26;-;-
iPad14,2;iPad mini (6th generation);pad;A15 Bionic;iPadOS;15;-;2266;2;P3;4;3f7;-;-;744x1133;1488x2266;2;-;110;26;26;-;-
iPad14,3;iPad Pro 11-inch (4th generation);pad;M2;iPadOS;16.1;-;2388;2;P3;8|16;3ff;-;-;834x1194;1668x2388;2;-;111;16;26;-;-
iPad14,4;iPad Pro 11-inch (4th generation);pad;M2;iPadOS;16.1;-;2388;2;P3;8|16;3ff;-;-;834x1194;1668x2388;2;-;111;16;26;-;-
iPad14,5;iPad Pro 12.9-inch (6th generation);pad;M2;iPadOS;16.1;-;2732;2;P3;8|16;3ff;-;-;1024x1366;2048x2732;2;-;111;16;26;-;-
iPad14,6;iPad Pro 12.9-inch (6th generation);pad;M2;iPadOS;16.1;-;2732;2;P3;8|16;3ff;-;-;1024x1366;2048x2732;2;-;111;16;26;-;-
iPad14,8;iPad Air 11-inch (M2);pad;M2;iPadOS;17.5;-;2360;2;P3;8;3ff;-;-;820x1180;1640x2360;2;-;111;16;26;-;-
iPad14,9;iPad Air 11-inch (M2);pad;M2;iPadOS;17.5;-;2360;2;P3;8;3ff;-;-;820x1180;1640x2360;2;-;111;16;26;-;-
iPad14,10;iPad Air 13-inch (M2);pad;M2;iPadOS;17.5;-;2732;2;P3;8;3ff;-;-;1024x1366;2048x2732;2;-;111;16;26;-;-
iPad14,11;iPad Air 13-inch (M2);pad;M2;iPadOS;17.5;-;2732;2;P3;8;3ff;-;-;1024x1366;2048x2732;2;-;111;16;26;-;-
iPad16,3;iPad Pro 11-inch (M4);pad;M4;iPadOS;17.5;-;2420;2;P3;8|16;7ff;-;-;834x1210;1668x2420;2;-;111;16;26;-;-
iPad16,4;iPad Pro 11-inch (M4);pad;M4;iPadOS;17.5;-;2420;2;P3;8|16;7ff;-;-;834x1210;1668x2420;2;-;111;16;26;-;-
iPad16,5;iPad Pro 13-inch (M4);pad;M4;iPadOS;17.5;-;2752;2;P3;8|16;7ff;-;-;1032x1376;2064x2752;2;-;111;16;26;-;-
iPad16,6;iPad Pro 13-inch (M4);pad;M4;iPadOS;17.5;-;2752;2;P3;8|16;7ff;-;-;1032x1376;2064x2752;2;-;111;16;26;-;-
iPad16,1;iPad mini (A17 Pro);pad;A17 Pro;iPadOS;18;-;2266;2;P3;8;7ff;-;-;744x1133;1488x2266;2;-;110;26;26;-;-
iPad16,2;iPad mini (A17 Pro);pad;A17 Pro;iPadOS;18;-;2266;2;P3;8;7ff;-;-;744x1133;1488x2266;2;-;110;26;26;-;-
iPad15,5;iPad Air 13-inch (M3);pad;M3;iPadOS;18.3;-;2732;2;P3;8;7ff;-;-;1024x1366;2048x2732;2;-;111;16;26;-;-
iPad15,6;iPad Air 13-inch (M3);pad;M3;iPadOS;18.3;-;2732;2;P3;8;7ff;-;-;1024x1366;2048x2732;2;-;111;16;26;-;-
iPad15,3;iPad Air 11-inch (M3);pad;M3;iPadOS;18.2.1;-;2360;2;P3;8;7ff;-;-;820x1180;1640x2360;2;-;111;16;26;-;-
iPad15,4;iPad Air 11-inch (M3);pad;M3;iPadOS;18.2.1;-;2360;2;P3;8;7ff;-;-;820x1180;1640x2360;2;-;111;16;26;-;-
iPad15,7;iPad (A16);pad;A16 Bionic;iPadOS;18.2.1;-;2360;2;sRGB;6;3ff;-;-;820x1180;1640x2360;2;-;110;26;26;-;-
iPad15,8;iPad (A16);pad;A16 Bionic;iPadOS;18.2.1;-;2360;2;sRGB;6;3ff;-;-;820x1180;1640x2360;2;-;110;26;26;-;-
iPad17,1;iPad Pro 11-inch (M5);pad;M5;iPadOS;26.0.1;-;2420;2;P3;12|16;fff;-;-;834x1210;1668x2420;2;-;111;16;26;-;-
iPad17,2;iPad Pro 11-inch (M5);pad;M5;iPadOS;26.0.1;-;2420;2;P3;12|16;fff;-;-;834x1210;1668x2420;2;-;111;16;26;-;-
iPad17,3;iPad Pro 13-inch (M5);pad;M5;iPadOS;26.0.1;-;2752;2;P3;12|16;fff;-;-;1032x1376;2064x2752;2;-;111;16;26;-;-
iPad17,4;iPad Pro 13-inch (M5);pad;M5;iPadOS;26.0.1;-;2752;2;P3;12|16;fff;-;-;1032x1376;2064x2752;2;-;111;16;26;-;-
iPad16,8;iPad Air 11-inch (M4);pad;M4;iPadOS;26.3;-;?;2;?;12;?;?;-;820x1180;1640x2360;2;-;111;16;26;-;-
iPad16,9;iPad Air 11-inch (M4);pad;M4;iPadOS;26.3;-;?;2;?;12;?;?;-;820x1180;1640x2360;2;-;111;16;26;-;-
iPad16,10;iPad Air 13-inch (M4);pad;M4;iPadOS;26.3;-;?;2;?;12;?;?;-;1024x1366;2048x2732;2;-;111;16;26;-;-
iPad16,11;iPad Air 13-inch (M4);pad;M4;iPadOS;26.3;-;?;2;?;12;?;?;-;1024x1366;2048x2732;2;-;111;16;26;-;-
iPod4,1;iPod touch (4th generation);phone;A4;iOS;4.1;6;?;2;?;?;?;?;-;320x480;640x960;2;compact;000;-;-;-;-
iPod5,1;iPod touch (5th generation);phone;A5;iOS;6;9;568;2;sRGB;0;1;-;-;320x568;640x1136;2;compact;000;-;-;-;-
iPod7,1;iPod touch (6th generation);phone;A8;iOS;8.4;12;568;2;sRGB;1;7;-;-;320x568;640x1136;2;compact;000;-;-;-;-
iPod9,1;iPod touch (7th generation);phone;A10 Fusion;iOS;12.3.1;15;568;2;sRGB;2;1f;-;-;320x568;640x1136;2;compact;000;-;-;-;-
AppleTV14,1;Apple TV 4K (3rd generation);tv;A15 Bionic;tvOS;16.1;-;3840;2;P3;4;3ff;-;1080pSDR;1920x1080;?;2;-;000;-;-;-;-
AppleTV11,1;Apple TV 4K (2nd generation);tv;A12 Bionic;tvOS;14.5;-;3840;2;P3;3;7f;-;1080pSDR;1920x1080;?;2;-;000;-;-;-;-
AppleTV6,2;Apple TV 4K (1st generation);tv;A10X Fusion;tvOS;11;-;3840;2;P3;3;1f;-;1080pSDR;1920x1080;?;2;-;000;-;-;-;-
AppleTV5,3;Apple TV HD;tv;A8;tvOS;9;-;?;1;sRGB;2;7;-;-;1920x1080;?;1;-;000;-;-;-;-
AppleTV3,2;Apple TV (3rd generation) rev A;tv;A5;tvOS;6.1;7;?;1;sRGB;0;1;-;-;?;?;1;-;000;-;-;-;-
AppleTV3,1;Apple TV (3rd generation);tv;A5;tvOS;5.1;7;?;1;sRGB;0;1;-;-;?;?;1;-;000;-;-;-;-
AppleTV2,1;Apple TV (2nd generation);tv;A4;tvOS;4.1;6;?;?;?;?;?;?;-;?;?;?;-;000;-;-;-;-
Watch1,1;Apple Watch (1st generation) 38mm;watch;S1;watchOS;1;4;320;2;sRGB;0;1;-;-;136x170;272x340;2;-;000;-;-;-;-
Watch1,2;Apple Watch (1st generation) 42mm;watch;S1;watchOS;1;4;384;2;sRGB;0;1;-;-;156x195;312x390;2;-;000;-;-;-;-
Watch2,6;Apple Watch Series 1 38mm;watch;S1P;watchOS;3;6;320;2;sRGB;0;1;-;-;136x170;272x340;2;-;000;-;-;-;-
Watch2,7;Apple Watch Series 1 42mm;watch;S1P;watchOS;3;6;384;2;sRGB;0;1;-;-;156x195;312x390;2;-;000;-;-;-;-
Watch2,3;Apple Watch Series 2 38mm;watch;S2;watchOS;3;6;320;2;sRGB;0;1;-;-;136x170;272x340;2;-;000;-;-;-;-
Watch2,4;Apple Watch Series 2 42mm;watch;S2;watchOS;3;6;384;2;sRGB;0;1;-;-;156x195;312x390;2;-;000;-;-;-;-
Watch3,1;Apple Watch Series 3 38mm;watch;S3;watchOS;4;8;320;2;sRGB;0;1;-;-;136x170;272x340;2;-;000;-;-;-;-
Watch3,3;Apple Watch Series 3 38mm;watch;S3;watchOS;4;8;320;2;sRGB;0;1;-;-;136x170;272x340;2;-;000;-;-;-;-
Watch3,2;Apple Watch Series 3 42mm;watch;S3;watchOS;4;8;384;2;sRGB;0;1;-;-;156x195;312x390;2;-;000;-;-;-;-
Watch3,4;Apple Watch Series 3 42mm;watch;S3;watchOS;4;8;384;2;sRGB;0;1;-;-;156x195;312x390;2;-;000;-;-;-;-
Watch4,1;Apple Watch Series 4 40mm;watch;S4;watchOS;5;10;340;2;P3;1;55;-;-;162x197;324x394;2;-;000;-;-;-;-
Watch4,3;Apple Watch Series 4 40mm;watch;S4;watchOS;5;10;340;2;P3;1;55;-;-;162x197;324x394;2;-;000;-;-;-;-
Watch4,2;Apple Watch Series 4 44mm;watch;S4;watchOS;5;10;390;2;P3;1;55;-;-;184x224;368x448;2;-;000;-;-;-;-
Watch4,4;Apple Watch Series 4 44mm;watch;S4;watchOS;5;10;390;2;P3;1;55;-;-;184x224;368x448;2;-;000;-;-;-;-
Watch5,1;Apple Watch Series 5 40mm;watch;S5;watchOS;6;10;340;2;P3;1;55;-;-;162x197;324x394;2;-;000;-;-;-;-
Watch5,3;Apple Watch Series 5 40mm;watch;S5;watchOS;6;10;340;2;P3;1;55;-;-;162x197;324x394;2;-;000;-;-;-;-
Watch5,2;Apple Watch Series 5 44mm;watch;S5;watchOS;6;10;390;2;P3;1;55;-;-;184x224;368x448;2;-;000;-;-;-;-
Watch5,4;Apple Watch Series 5 44mm;watch;S5;watchOS;6;10;390;2;P3;1;55;-;-;184x224;368x448;2;-;000;-;-;-;-
Watch6,1;Apple Watch Series 6 40mm;watch;S6;watchOS;7;-;340;2;P3;?;55;-;-;162x197;324x394;2;-;000;-;-;-;-
Watch6,3;Apple Watch Series 6 40mm;watch;S6;watchOS;7;-;340;2;P3;?;55;-;-;162x197;324x394;2;-;000;-;-;-;-
Watch6,2;Apple Watch Series 6 44mm;watch;S6;watchOS;7;-;390;2;P3;?;55;-;-;184x224;368x448;2;-;000;-;-;-;-
Watch6,4;Apple Watch Series 6 44mm;watch;S6;watchOS;7;-;390;2;P3;?;55;-;-;184x224;368x448;2;-;000;-;-;-;-
Watch5,9;Apple Watch SE 40mm;watch;S5;watchOS;7;10;340;2;P3;1;55;-;-;162x197;324x394;2;-;000;-;-;-;-
Watch5,11;Apple Watch SE 40mm;watch;S5;watchOS;7;10;340;2;P3;1;55;-;-;162x197;324x394;2;-;000;-;-;-;-
Watch5,10;Apple Watch SE 44mm;watch;S5;watchOS;7;10;390;2;P3;1;55;-;-;184x224;368x448;2;-;000;-;-;-;-
Watch5,12;Apple Watch SE 44mm;watch;S5;watchOS;7;10;390;2;P3;1;55;-;-;184x224;368x448;2;-;000;-;-;-;-
Watch6,6;Apple Watch Series 7 41mm;watch;S7;watchOS;8;-;430;2;P3;?;75;-;-;176x215;352x430;2;-;000;-;-;-;-
Watch6,8;Apple Watch Series 7 41mm;watch;S7;watchOS;8;-;430;2;P3;?;75;-;-;176x215;352x430;2;-;000;-;-;-;-
Watch6,7;Apple Watch Series 7 45mm;watch;S7;watchOS;8;-;484;2;P3;?;75;-;-;198x242;396x484;2;-;000;-;-;-;-
Watch6,9;Apple Watch Series 7 45mm;watch;S7;watchOS;8;-;484;2;P3;?;75;-;-;198x242;396x484;2;-;000;-;-;-;-
Watch6,14;Apple Watch Series 8 41mm;watch;S8;watchOS;9;-;430;2;P3;?;75;-;-;176x215;352x430;2;-;000;-;-;-;-
Watch6,16;Apple Watch Series 8 41mm;watch;S8;watchOS;9;-;430;2;P3;?;75;-;-;176x215;352x430;2;-;000;-;-;-;-
Watch6,15;Apple Watch Series 8 45mm;watch;S8;watchOS;9;-;484;2;P3;?;75;-;-;198x242;396x484;2;-;000;-;-;-;-
Watch6,17;Apple Watch Series 8 45mm;watch;S8;watchOS;9;-;484;2;P3;?;75;-;-;198x242;396x484;2;-;000;-;-;-;-
Watch6,10;Apple Watch SE 2 40mm;watch;S8;watchOS;9;-;340;2;P3;?;75;-;-;162x197;324x394;2;-;000;-;-;-;-
Watch6,12;Apple Watch SE 2 40mm;watch;S8;watchOS;9;-;340;2;P3;?;75;-;-;162x197;324x394;2;-;000;-;-;-;-
Watch6,11;Apple Watch SE 2 44mm;watch;S8;watchOS;9;-;390;2;P3;?;75;-;-;184x224;368x448;2;-;000;-;-;-;-
Watch6,13;Apple Watch SE 2 44mm;watch;S8;watchOS;9;-;390;2;P3;?;75;-;-;184x224;368x448;2;-;000;-;-;-;-
Watch6,18;Apple Watch Ultra (GPS + Cellular);watch;S8;watchOS;9;-;502;2;P3;?;75;-;-;205x251;410x502;2;-;000;-;-;-;-
Watch7,1;Apple Watch Series 9 41mm;watch;S9;watchOS;10.0.1;-;430;2;P3;2;3ff;-;-;176x215;352x430;2;-;000;-;-;-;-
Watch7,3;Apple Watch Series 9 41mm;watch;S9;watchOS;10.0.1;-;430;2;P3;2;3ff;-;-;176x215;352x430;2;-;000;-;-;-;-
Watch7,2;Apple Watch Series 9 45mm;watch;S9;watchOS;10.0.1;-;484;2;P3;2;3ff;-;-;198x242;396x484;2;-;000;-;-;-;-
Watch7,4;Apple Watch Series 9 45mm;watch;S9;watchOS;10.0.1;-;484;2;P3;2;3ff;-;-;198x242;396x484;2;-;000;-;-;-;-
Watch7,5;Apple Watch Ultra 2;watch;S9;watchOS;10.0.1;-;502;2;P3;2;3ff;-;-;205x251;410x502;2;-;000;-;-;-;-
Watch7,8;Apple Watch Series 10 42mm;watch;S10;watchOS;11;-;446;2;P3;2;3ff;-;-;187x223;374x446;2;-;000;-;-;-;-
Watch7,10;Apple Watch Series 10 42mm;watch;S10;watchOS;11;-;446;2;P3;2;3ff;-;-;187x223;374x446;2;-;000;-;-;-;-
Watch7,9;Apple Watch Series 10 46mm;watch;S10;watchOS;11;-;496;2;P3;2;3ff;-;-;208x248;416x496;2;-;000;-;-;-;-
Watch7,11;Apple Watch Series 10 46mm;watch;S10;watchOS;11;-;496;2;P3;2;3ff;-;-;208x248;416x496;2;-;000;-;-;-;-
Watch7,13;Apple Watch SE 3 40mm;watch;S10;watchOS;26;-;340;2;P3;2;3ff;-;-;162x197;324x394;2;-;000;-;-;-;-
Watch7,15;Apple Watch SE 3 40mm;watch;S10;watchOS;26;-;340;2;P3;2;3ff;-;-;162x197;324x394;2;-;000;-;-;-;-
Watch7,14;Apple Watch SE 3 44mm;watch;S10;watchOS;26;-;390;2;P3;2;3ff;-;-;184x224;368x448;2;-;000;-;-;-;-
Watch7,16;Apple Watch SE 3 44mm;watch;S10;watchOS;26;-;390;2;P3;2;3ff;-;-;184x224;368x448;2;-;000;-;-;-;-
Watch7,12;Apple Watch Ultra 3;watch;S10;watchOS;26;-;514;2;P3;2;3ff;-;-;211x257;422x514;2;-;000;-;-;-;-
Watch7,17;Apple Watch Series 11 42mm;watch;S10;watchOS;26;-;446;2;P3;2;3ff;-;-;187x223;374x446;2;-;000;-;-;-;-
Watch7,19;Apple Watch Series 11 42mm;watch;S10;watchOS;26;-;446;2;P3;2;3ff;-;-;187x223;374x446;2;-;000;-;-;-;-
Watch7,18;Apple Watch Series 11 46mm;watch;S10;watchOS;26;-;496;2;P3;2;3ff;-;-;208x248;416x496;2;-;000;-;-;-;-
Watch7,20;Apple Watch Series 11 46mm;watch;S10;watchOS;26;-;496;2;P3;2;3ff;-;-;208x248;416x496;2;-;000;-;-;-;-
Watch8,1;Apple Watch Ultra 4;watch;?;watchOS;27;-;514;2;P3;?;?;-;-;211x257;422x514;2;-;000;-;-;-;subtype|gamut
Watch8,2;Apple Watch Series 12 42mm;watch;?;watchOS;27;-;446;2;P3;?;?;-;-;187x223;374x446;2;-;000;-;-;-;subtype|gamut|size
Watch8,4;Apple Watch Series 12 42mm;watch;?;watchOS;27;-;446;2;P3;?;?;-;-;187x223;374x446;2;-;000;-;-;-;subtype|gamut|size
Watch8,3;Apple Watch Series 12 46mm;watch;?;watchOS;27;-;496;2;P3;?;?;-;-;208x248;416x496;2;-;000;-;-;-;subtype|gamut
Watch8,5;Apple Watch Series 12 46mm;watch;?;watchOS;27;-;496;2;P3;?;?;-;-;208x248;416x496;2;-;000;-;-;-;subtype|gamut
RealityDevice17,1;Apple Vision Pro (M5);vision;M5;visionOS;26.0.1;-;?;?;?;16;?;?;-;?;?;?;-;000;-;-;-;-
RealityDevice14,1;Apple Vision Pro (M2);vision;M2;visionOS;1.0.1;-;?;?;?;16;?;?;-;?;?;?;-;000;-;-;-;-
RealityFamily22,1;visionOS compatibility set for iPad apps (not a product);pad;?;visionOS;?;?;?;2;P3;16;3ff;-;-;?;?;?;-;000;-;-;-;-
MacFamily20,1;iPad/iPhone apps on Apple silicon Mac (compatibility set, not a product);pad;?;macOS;?;?;32401;2;P3;16;?;-;-;?;?;?;-;000;-;-;-;-
Mac;Mac (one row for all);mac;?;macOS;?;?;?;1|2;sRGB|P3;?;?;-;-;?;?;?;-;000;-;-;-;-
"""
