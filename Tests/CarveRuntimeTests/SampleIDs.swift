// Ids of assets, by name and kind. Written by 'carve symbols'.
// swift-format-ignore-file

import CarveRuntime

extension AssetID {

    /// Assets that are found as image.
    enum Image {

        /// "Carrot"
        static let carrot = AssetID(rawValue: 0x3D36B0F21C085299)

        /// Assets below "Fruit".
        enum Fruit {

            /// "Fruit/Apple"
            static let apple = AssetID(rawValue: 0x1A217158487E4C9F)

            /// "Fruit/Pear"
            static let pear = AssetID(rawValue: 0xA982BF7D0B77D2FD)

        }

    }

    /// Assets that are found as color.
    enum Color {

        /// "Accent"
        static let accent = AssetID(rawValue: 0x50F8A0F7130A288C)

        /// Assets below "Fruit".
        enum Fruit {

            /// "Fruit/Apple"
            static let apple = AssetID(rawValue: 0x7C70035BB69B36FE)

        }

        /// "Glow"
        static let glow = AssetID(rawValue: 0x61D49E532B5E9B2C)

        /// "Leaf"
        static let leaf = AssetID(rawValue: 0x180407E391003A41)

        /// "Shade"
        static let shade = AssetID(rawValue: 0xB95046560691F8D9)

        /// "Text"
        static let text = AssetID(rawValue: 0x7FBE060C470545BB)

    }

    /// Assets that are found as data.
    enum Data {

        /// "Level"
        static let level = AssetID(rawValue: 0xE7ED93A80409D2FA)

        /// "Poem"
        static let poem = AssetID(rawValue: 0xC3333E40A0005760)

    }

    /// Assets that are found as icon.
    enum Icon {

        /// "AppIcon"
        static let appIcon = AssetID(rawValue: 0x035DE70F1EC2F6AF)

        /// "AppIconSingle"
        static let appIconSingle = AssetID(rawValue: 0xA91F547F44407B74)

    }

}
